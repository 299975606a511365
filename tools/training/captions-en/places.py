"""Where things lie: BRAID_DATA (../shared/data beside the checkout) is read, BRAID_WORK (../train/cap) is written."""
import os
import pathlib

CHECKOUT = pathlib.Path(__file__).resolve().parents[3]
DATA = pathlib.Path(os.environ.get("BRAID_DATA", CHECKOUT.parent / "shared" / "data"))
WORK = pathlib.Path(os.environ.get("BRAID_WORK", CHECKOUT.parent / "train" / "cap"))
WORK.mkdir(parents=True, exist_ok=True)
