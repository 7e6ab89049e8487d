"""Trains the reader's three small networks. Only this needs PyTorch and onnx."""
