"""A server on the loopback that behaves as the first part of a path says: well, or in the ways that servers and networks fail.

usage: odd_server.py FOLDER LOG

Serves the files of FOLDER, prints its port, ends when standard input ends. Every request is a line of LOG: path, range and authorization.

  /good/F           the file, by range where asked
  /norange/F        the whole file, whatever range was asked for
  /cut/N/F          an N-th of the file more with every request, then the connection breaks
  /hold/F           half of the file, then nothing more
  /short/F          says that the file is a byte shorter than it is, and sends that
  /long/F           a file with a byte more
  /status/CODE      that status
  /busy/N/F         500 the first N times, then the file
  /loop             leads to itself
  /away/F           leads to the same file by another name of this machine
  /page             a web page
  /api/models/...   what answer.json of FOLDER says
  /OWNER/NAME/resolve/COMMIT/F   leads to /good/F by another name of this machine
"""
import collections
import http.server
import pathlib
import sys
import threading

folder = pathlib.Path(sys.argv[1])
log = open(sys.argv[2], "a", buffering=1)
times = collections.Counter()
ended = threading.Event()


class Odd(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, headers=(), body=b"", length=None):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.send_header("Connection", "close")
        self.end_headers()
        try:
            self.wfile.write(body)
            self.wfile.flush()
        except OSError:
            pass
        self.close_connection = True

    def begin(self):
        asked = self.headers.get("Range", "")
        return int(asked[len("bytes="):].rstrip("-")) if asked.startswith("bytes=") else None

    def send(self, whole, most=None):
        """The file from where it was asked for, at most `most` bytes of what was announced."""
        begin = self.begin()
        if begin is not None and begin >= len(whole):
            return self.answer(416)
        status, headers, body = 200, [("Content-Type", "application/octet-stream")], whole
        if begin is not None:
            status, body = 206, whole[begin:]
            headers.append(("Content-Range", f"bytes {begin}-{len(whole) - 1}/{len(whole)}"))
        self.answer(status, headers, body if most is None else body[:most], len(body))

    def do_GET(self):
        log.write(f"{self.path} {self.headers.get('Range', '-')} {self.headers.get('Authorization', '-')}\n")
        parts = self.path.split("?")[0].strip("/").split("/")
        kind, name = parts[0], parts[-1]
        times[self.path] += 1
        file = folder / name
        whole = file.read_bytes() if file.is_file() else None
        other_name = f"http://localhost:{self.server.server_port}/good/{name}"
        if kind == "status":
            self.answer(int(name), [], b"refused")
        elif kind == "loop":
            self.answer(302, [("Location", "/loop")])
        elif kind == "page":
            self.answer(200, [("Content-Type", "text/html; charset=utf-8")], b"<!DOCTYPE html><p>Sign in first")
        elif kind == "api":
            self.answer(200, [("Content-Type", "application/json")], (folder / "answer.json").read_bytes())
        elif kind == "away" or "resolve" in parts:
            self.answer(302, [("Location", other_name)])
        elif whole is None:
            self.answer(404)
        elif kind == "norange":
            self.answer(200, [], whole)
        elif kind == "cut":
            self.send(whole, len(whole) // int(parts[1]))
        elif kind == "short":
            self.answer(200, [], whole[:-1])
        elif kind == "long":
            self.answer(200, [], whole + b"x")
        elif kind == "hold":
            self.send(whole, len(whole) // 2 if self.begin() is None else 0)
            ended.wait()
        elif kind == "busy" and times[self.path] <= int(parts[1]):
            self.answer(500)
        else:
            self.send(whole)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Odd)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_port, flush=True)
sys.stdin.read()
ended.set()
