"""How the reader's two small networks are trained; needs PyTorch and onnx, which nothing else does."""
