/* opus_to_wav FILE.opus...: each becomes FILE.wav (16 kHz, one channel, 16 bit) and goes. For a machine without media libraries:
   built here with static libopus and libogg, so that it needs nothing there. Exit code 1 where a file cannot be read. */
#include <ogg/ogg.h>
#include <opus/opus.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kRate = 16000, kOpusRate = 48000, kMostSamples = kRate * 120 / 1000 };

typedef struct {
    int16_t *samples;
    size_t count, room;
} Sound;

static void append(Sound *sound, const int16_t *samples, size_t count)
{
    if (sound->count + count > sound->room) {
        sound->room = 2 * (sound->count + count);
        sound->samples = realloc(sound->samples, sound->room * sizeof(int16_t));
        if (sound->samples == NULL) {
            perror("opus_to_wav");
            exit(1);
        }
    }
    memcpy(sound->samples + sound->count, samples, count * sizeof(int16_t));
    sound->count += count;
}

/* The sound of the first stream, from its beginning to the end its last page names. Returns 0, or -1 where it is no Opus. */
static int decode(FILE *file, Sound *sound)
{
    ogg_sync_state sync;
    ogg_stream_state stream;
    ogg_page page;
    ogg_packet packet;
    OpusDecoder *decoder = NULL;
    int64_t skip = 0, last = -1;
    int has_stream = 0, packets = 0, problem = 0, done = 0;
    ogg_sync_init(&sync);
    while (!done && !problem) {
        char *buffer = ogg_sync_buffer(&sync, 1 << 16);
        const size_t bytes = fread(buffer, 1, 1 << 16, file);
        ogg_sync_wrote(&sync, (long)bytes);
        done = bytes == 0;
        while (!problem && ogg_sync_pageout(&sync, &page) == 1) {
            if (!has_stream) {
                ogg_stream_init(&stream, ogg_page_serialno(&page));
                has_stream = 1;
            }
            if (ogg_page_serialno(&page) != stream.serialno) {
                continue;
            }
            if (packets >= 2 && ogg_page_granulepos(&page) >= 0) {
                last = ogg_page_granulepos(&page);
            }
            ogg_stream_pagein(&stream, &page);
            while (!problem && ogg_stream_packetout(&stream, &packet) == 1) {
                if (packets == 0) {
                    int error = 0;
                    problem = packet.bytes < 19 || memcmp(packet.packet, "OpusHead", 8) != 0 || packet.packet[18] != 0;
                    if (!problem) {
                        skip = packet.packet[10] | packet.packet[11] << 8;
                        decoder = opus_decoder_create(kRate, 1, &error);
                        problem = error != OPUS_OK;
                    }
                } else if (packets > 1) {
                    int16_t samples[kMostSamples];
                    const int count = opus_decode(decoder, packet.packet, (opus_int32)packet.bytes, samples, kMostSamples, 0);
                    if (count > 0) {
                        append(sound, samples, (size_t)count);
                    }
                }
                ++packets;
            }
        }
    }
    if (decoder != NULL) {
        opus_decoder_destroy(decoder);
    }
    if (has_stream) {
        ogg_stream_clear(&stream);
    }
    ogg_sync_clear(&sync);
    const int64_t first = skip * kRate / kOpusRate;
    if (problem || decoder == NULL || (int64_t)sound->count <= first) {
        return -1;
    }
    const int64_t length = (last >= 0 ? last * kRate / kOpusRate : (int64_t)sound->count) - first;
    sound->count -= (size_t)first;
    memmove(sound->samples, sound->samples + first, sound->count * sizeof(int16_t));
    if (length > 0 && (size_t)length < sound->count) {
        sound->count = (size_t)length;
    }
    return 0;
}

static int writeWav(const char *path, const Sound *sound)
{
    const uint32_t bytes = (uint32_t)(sound->count * sizeof(int16_t));
    const uint32_t fields[] = {bytes + 36, 16, 1 | 1 << 16, kRate, kRate * 2, 2 | 16 << 16, bytes};
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        return -1;
    }
    fwrite("RIFF", 1, 4, file);
    fwrite(fields, 4, 1, file);
    fwrite("WAVEfmt ", 1, 8, file);
    fwrite(fields + 1, 4, 5, file);
    fwrite("data", 1, 4, file);
    fwrite(fields + 6, 4, 1, file);
    const int failed = fwrite(sound->samples, sizeof(int16_t), sound->count, file) != sound->count;
    return fclose(file) != 0 || failed ? -1 : 0;
}

int main(int count, char **paths)
{
    int failed = 0;
    for (int i = 1; i < count; ++i) {
        Sound sound = {NULL, 0, 0};
        char wav[4096];
        const size_t length = strlen(paths[i]);
        FILE *file = fopen(paths[i], "rb");
        const int is_read = file != NULL && length > 5 && length < sizeof(wav) && decode(file, &sound) == 0;
        if (file != NULL) {
            fclose(file);
        }
        if (is_read) {
            memcpy(wav, paths[i], length - 5);
            memcpy(wav + length - 5, ".wav", 5);
        }
        if (is_read && writeWav(wav, &sound) == 0) {
            remove(paths[i]);
        } else {
            fprintf(stderr, "opus_to_wav: %s cannot be decoded\n", paths[i]);
            failed = 1;
        }
        free(sound.samples);
    }
    return failed;
}
