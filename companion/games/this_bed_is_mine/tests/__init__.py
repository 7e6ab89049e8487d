"""The rules of This Bed Is Mine as examples of use, and against independent reckonings."""
