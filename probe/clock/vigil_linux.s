// This file is empty. With it, Go allows the declarations without a body in
// vigil_linux.go.
