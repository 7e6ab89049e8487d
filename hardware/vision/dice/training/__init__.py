"""How the reader's four small networks are trained; needs PyTorch and onnx, which nothing else does."""
