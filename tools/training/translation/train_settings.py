"""What is drawn for every example, in training; a model's folder names the phi."""

WAITS = [1, 2, 3, 4, 5, 5, 5, 6, 7, 9, 12, 1000]
PHIS = [0, 0, 0, 0, 0, 0, 128, 512]
