/* Stands in for the kernel's memory for pictures (/dev/udmabuf, /dev/dma_heap/...) where there is none: plain memory
 * files take its place, which libcamera and picamera2 map just the same. Preloaded into the process that uses them. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <linux/udmabuf.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *const HEAPS[] = {"/dev/udmabuf", "/dev/dma_heap/linux,cma", "/dev/dma_heap/system"};

static int memory_file(size_t length) {
    int file = memfd_create("picture", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file >= 0 && length && ftruncate(file, length)) {
        close(file);
        return -1;
    }
    return file;
}

static int is_heap(const char *path) {
    for (size_t i = 0; path && i < sizeof HEAPS / sizeof *HEAPS; i++)
        if (!strcmp(path, HEAPS[i])) return 1;
    return 0;
}

#define MODE_FROM(last) \
    va_list rest; \
    va_start(rest, last); \
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(rest, mode_t) : 0; \
    va_end(rest)

#define OPENS(name) \
    int name(const char *path, int flags, ...) { \
        static int (*real)(const char *, int, ...); \
        MODE_FROM(flags); \
        if (is_heap(path)) return memory_file(0); \
        if (!real) real = dlsym(RTLD_NEXT, #name); \
        return real(path, flags, mode); \
    }

#define OPENS_AT(name) \
    int name(int folder, const char *path, int flags, ...) { \
        static int (*real)(int, const char *, int, ...); \
        MODE_FROM(flags); \
        if (is_heap(path)) return memory_file(0); \
        if (!real) real = dlsym(RTLD_NEXT, #name); \
        return real(folder, path, flags, mode); \
    }

OPENS(open)
OPENS(open64)
OPENS_AT(openat)
OPENS_AT(openat64)

int ioctl(int file, unsigned long request, ...) {
    static int (*real)(int, unsigned long, ...);
    va_list rest;
    va_start(rest, request);
    void *told = va_arg(rest, void *);
    va_end(rest);
    if (request == UDMABUF_CREATE) return fcntl(((struct udmabuf_create *)told)->memfd, F_DUPFD_CLOEXEC, 0);
    if (request == DMA_HEAP_IOCTL_ALLOC) {
        struct dma_heap_allocation_data *wanted = told;
        int made = memory_file(wanted->len);
        if (made < 0) return -1;
        wanted->fd = made;
        return 0;
    }
    if (request == DMA_BUF_IOCTL_SYNC || request == DMA_BUF_SET_NAME_A || request == DMA_BUF_SET_NAME_B) return 0;
    if (!real) real = dlsym(RTLD_NEXT, "ioctl");
    return real(file, request, told);
}
