/* The pins of a Raspberry Pi in this process's memory, for the real lgpio: load it with LD_PRELOAD.

   It answers the kernel's calls on /dev/gpiochip0 (GPIO v2, as lgpio uses them) and the board's revision in the device
   tree; every other file and call is handed on. A line that is asked for gets one end of a socket pair as its file, so
   that edges can be waited for and read as from the kernel. What holds there holds here: a line has one owner, an input
   rests where its pull leaves it, an edge is told only where it was asked for, and where nobody reads them the oldest
   edges are dropped.

   An output that is closed keeps its level, as the kernel leaves it. Where PINS_KEPT names a file, the levels of all
   lines are kept in it, a byte for each, so that they outlive a process that is killed.

   A test's hands and eyes, by ctypes.CDLL(None): fake_pull(line, level) presses (0) and lets go (-1); fake_play presses
   and lets go in time, however busy the interpreter is; fake_level, fake_flags and fake_writes look. Environment:
   PINS_REVISION, in hex, is a Pi 4's where it is not set; with a Pi 5's the chip is that of its RP1. Where PINS_LATE is
   set, lgpio's thread that watches the lines is slow: see pthread_cond_wait below. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/gpio.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { LINES = 58, CHIPS = 64, GPIO_CALLS = 0xB4, BCM2712 = 4 };
static const char chip_path[] = "/dev/gpiochip0", old_chip_path[] = "/dev/gpiochip4";
static const char revision_path[] = "/proc/device-tree/system/linux,revision";

struct line {
    int fd, far;               /* the owner's end and ours; -1 where nobody owns the line */
    int level, pulled;         /* pulled: by a finger or a wire; -1: by nothing */
    unsigned long long flags;
    unsigned seq, writes, left_high; /* left_high: how often it was given back as an output that was on */
    double changed;            /* when its level last changed, in seconds: what its edge was dated */
    char owner[GPIO_MAX_NAME_SIZE];
};
static struct line lines[LINES];
static int chips[CHIPS];       /* files of opened chips; 0 is a free place */
static unsigned char *kept;    /* levels that outlive the process; NULL where nobody wants them */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void hold(void) { pthread_mutex_lock(&lock); }
static void let_go(void) { pthread_mutex_unlock(&lock); }

__attribute__((constructor)) static void begin(void)
{
    pthread_atfork(hold, let_go, let_go); /* a child must not find it held by a thread that it does not have */
    for (int i = 0; i < LINES; i++) lines[i].fd = lines[i].far = lines[i].pulled = -1;
    const char *path = getenv("PINS_KEPT");
    int fd = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (fd < 0 || syscall(SYS_ftruncate, fd, LINES)) return;
    kept = mmap(NULL, LINES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (kept == MAP_FAILED) kept = NULL;
    for (int i = 0; kept && i < LINES; i++) lines[i].level = kept[i];
}

static void keep(const struct line *l) { if (kept) kept[l - lines] = (unsigned char)l->level; }

static struct line *line_of(int fd)
{
    for (int i = 0; i < LINES; i++) if (fd >= 0 && lines[i].fd == fd) return &lines[i];
    return NULL;
}

static int *chip_of(int fd)
{
    for (int i = 0; i < CHIPS; i++) if (chips[i] == fd) return &chips[i];
    return NULL;
}

static int at_rest(const struct line *l)
{
    return l->pulled >= 0 ? l->pulled : !!(l->flags & GPIO_V2_LINE_FLAG_BIAS_PULL_UP);
}

static void change(struct line *l, int level)
{
    if (l->level == level) return;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    l->level = level;
    l->changed = t.tv_sec + 1e-9 * t.tv_nsec;
    if (l->fd < 0 || !(l->flags & (level ? GPIO_V2_LINE_FLAG_EDGE_RISING : GPIO_V2_LINE_FLAG_EDGE_FALLING))) return;
    struct gpio_v2_line_event e = {
        .timestamp_ns = t.tv_sec * 1000000000ull + t.tv_nsec, .offset = l - lines,
        .id = level ? GPIO_V2_LINE_EVENT_RISING_EDGE : GPIO_V2_LINE_EVENT_FALLING_EDGE,
        .seqno = ++l->seq, .line_seqno = l->seq };
    while (send(l->far, &e, sizeof e, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 && errno == EAGAIN) {
        struct gpio_v2_line_event oldest;
        recv(l->fd, &oldest, sizeof oldest, MSG_DONTWAIT);
    }
}

void fake_pull(int i, int level)
{
    hold();
    lines[i].pulled = level;
    if (!(lines[i].flags & GPIO_V2_LINE_FLAG_OUTPUT)) change(&lines[i], at_rest(&lines[i]));
    let_go();
}

/* Waits for the first of `count` durations, presses for the second, lets go for the third, and so on. `took` gets how
   long each lasted by the dates of its edges, which a busy machine makes longer than was asked. All in seconds. */
void fake_play(int i, int count, const double *lasts, double *took)
{
    struct timespec begun;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    double since = begun.tv_sec + 1e-9 * begun.tv_nsec;
    for (int k = 0; k < count; k++) {
        struct timespec t = { (time_t)lasts[k], (long)(1e9 * (lasts[k] - (time_t)lasts[k])) };
        nanosleep(&t, NULL);
        fake_pull(i, k % 2 || k == count - 1 ? -1 : 0);
        took[k] = lines[i].changed - since;
        since = lines[i].changed;
    }
}

int fake_level(int i) { return lines[i].level; }
unsigned fake_left_high(int i) { return lines[i].left_high; }
unsigned fake_writes(int i) { return lines[i].writes; }
unsigned long long fake_flags(int i) { return lines[i].fd < 0 ? 0 : lines[i].flags; }

static int opened_chip(void)
{
    hold();
    int *place = chip_of(0), fd = place ? memfd_create("gpiochip0", MFD_CLOEXEC) : -1;
    if (place && fd >= 0) *place = fd;
    if (!place) errno = EMFILE;
    let_go();
    return fd;
}

static unsigned long revision(void)
{
    const char *hex = getenv("PINS_REVISION");
    return strtoul(hex ? hex : "c03115", NULL, 16);
}

static int is_pi_5(void) { return (revision() >> 12 & 15) == BCM2712; }

static int opened_revision(void)
{
    unsigned long r = revision();
    unsigned char big_endian[4] = { r >> 24, r >> 16, r >> 8, r };
    int fd = memfd_create("revision", MFD_CLOEXEC);
    if (fd < 0 || pwrite(fd, big_endian, 4, 0) != 4) return -1;
    return fd;
}

/* A Pi 5's udev gives the header's chip the name that it had with older kernels, too. */
static int is_chip(const char *path)
{
    return path && (!strcmp(path, chip_path) || (is_pi_5() && !strcmp(path, old_chip_path)));
}

/* gpiozero looks whether there is such a file before it opens the chip of that number. */
static int told_of_file(const char *path, void *s, const char *name)
{
    int (*next)(const char *, void *) = (int (*)(const char *, void *))dlsym(RTLD_NEXT, name);
    return next(is_chip(path) ? "/dev/null" : path, s);
}
int stat(const char *path, struct stat *s) { return told_of_file(path, s, "stat"); }
int stat64(const char *path, struct stat64 *s) { return told_of_file(path, s, "stat64"); }

static int opened(const char *path, int flags, mode_t mode)
{
    static int (*next)(const char *, int, ...);
    if (is_chip(path)) return opened_chip();
    if (path && !strcmp(path, revision_path)) return opened_revision();
    if (!next) next = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open64");
    return next(path, flags, mode);
}

#define MODE va_list more; va_start(more, flags); mode_t mode = va_arg(more, mode_t); va_end(more)
int open(const char *path, int flags, ...) { MODE; return opened(path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE; return opened(path, flags | O_LARGEFILE, mode); }

int close(int fd)
{
    hold();
    struct line *l = line_of(fd);
    int *place = fd > 0 ? chip_of(fd) : NULL;
    if (l) {
        syscall(SYS_close, l->far);
        if (!(l->flags & GPIO_V2_LINE_FLAG_OUTPUT)) l->level = at_rest(l);
        else if (l->level) l->left_high++;
        l->fd = l->far = -1;
        l->flags = 0;
        l->owner[0] = 0;
        keep(l);
    }
    if (place) *place = 0;
    int result = (int)syscall(SYS_close, fd);
    let_go();
    return result;
}

static int requested(struct gpio_v2_line_request *r)
{
    int ends[2];
    if (r->num_lines != 1 || r->offsets[0] >= LINES) { errno = EINVAL; return -1; }
    struct line *l = &lines[r->offsets[0]];
    if (l->fd >= 0) { errno = EBUSY; return -1; }
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends)) return -1;
    l->fd = r->fd = ends[0];
    l->far = ends[1];
    l->flags = r->config.flags;
    snprintf(l->owner, sizeof l->owner, "%s", r->consumer);
    l->level = at_rest(l);
    if (l->flags & GPIO_V2_LINE_FLAG_OUTPUT) {
        l->level = 0;
        for (unsigned k = 0; k < r->config.num_attrs; k++)
            if (r->config.attrs[k].attr.id == GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES)
                l->level = r->config.attrs[k].attr.values & 1;
    }
    keep(l);
    return 0;
}

static int told_of_chip(struct gpiochip_info *c)
{
    memset(c, 0, sizeof *c);
    strcpy(c->name, "gpiochip0");
    strcpy(c->label, is_pi_5() ? "pinctrl-rp1" : "pinctrl-bcm2711");
    c->lines = LINES;
    return 0;
}

static int told_of_line(struct gpio_v2_line_info *i)
{
    unsigned offset = i->offset;
    if (offset >= LINES) { errno = EINVAL; return -1; }
    memset(i, 0, sizeof *i);
    i->offset = offset;
    snprintf(i->name, sizeof i->name, "GPIO%u", offset);
    snprintf(i->consumer, sizeof i->consumer, "%s", lines[offset].owner);
    i->flags = lines[offset].fd < 0 ? GPIO_V2_LINE_FLAG_INPUT : lines[offset].flags | GPIO_V2_LINE_FLAG_USED;
    return 0;
}

static int written(struct line *l, const struct gpio_v2_line_values *v)
{
    if (!(l->flags & GPIO_V2_LINE_FLAG_OUTPUT)) { errno = EPERM; return -1; }
    if (v->mask & 1) { l->level = v->bits & 1; l->writes++; keep(l); }
    return 0;
}

static int answered(int fd, unsigned long call, void *arg)
{
    struct line *l = line_of(fd);
    if (fd > 0 && chip_of(fd)) {
        if (call == GPIO_GET_CHIPINFO_IOCTL) return told_of_chip(arg);
        if (call == GPIO_V2_GET_LINEINFO_IOCTL) return told_of_line(arg);
        if (call == GPIO_V2_GET_LINE_IOCTL) return requested(arg);
    }
    if (l && call == GPIO_V2_LINE_SET_VALUES_IOCTL) return written(l, arg);
    if (l && call == GPIO_V2_LINE_GET_VALUES_IOCTL) {
        ((struct gpio_v2_line_values *)arg)->bits = (unsigned)l->level;
        return 0;
    }
    fprintf(stderr, "gpiochip: call %lx on file %d is not known\n", call, fd);
    errno = ENOTTY;
    return -1;
}

int ioctl(int fd, unsigned long call, ...)
{
    static int (*next)(int, unsigned long, ...);
    va_list more;
    va_start(more, call);
    void *arg = va_arg(more, void *);
    va_end(more);
    call = (unsigned)call;
    if (_IOC_TYPE(call) != GPIO_CALLS) {
        if (!next) next = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
        return next(fd, call, arg);
    }
    hold();
    int result = answered(fd, call, arg);
    let_go();
    return result;
}

/* While no line is watched, lgpio's thread waits for the signal that one is. It looks first and waits afterwards; on a busy
   machine it may be stopped in between, and miss the signal. So it is where PINS_LATE is set: it begins to wait only when
   fake_arrive says so, once. */
enum { ARRIVES_WITHIN_S = 10 };
static enum { PUNCTUAL, LATE, STOPPED, EXPECTED, ARRIVED } arrival;
static pthread_mutex_t arrival_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrival_changed = PTHREAD_COND_INITIALIZER;

__attribute__((constructor)) static void begin_late(void) { arrival = getenv("PINS_LATE") ? LATE : PUNCTUAL; }

static int is_of_lgpio(const void *address)
{
    Dl_info found;
    return dladdr(address, &found) && found.dli_sname && !strcmp(found.dli_sname, "lgAlertCond");
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    static int (*next)(pthread_cond_t *, pthread_mutex_t *);
    if (!next) next = (int (*)(pthread_cond_t *, pthread_mutex_t *))dlvsym(RTLD_NEXT, "pthread_cond_wait", "GLIBC_2.3.2");
    if (arrival == LATE && condition != &arrival_changed && is_of_lgpio(condition)) {
        pthread_mutex_unlock(mutex);
        pthread_mutex_lock(&arrival_lock);
        arrival = STOPPED;
        pthread_cond_broadcast(&arrival_changed);
        while (arrival != EXPECTED) next(&arrival_changed, &arrival_lock);
        pthread_mutex_lock(mutex); /* from here on no signal can be given before it waits */
        arrival = ARRIVED;
        pthread_cond_broadcast(&arrival_changed);
        pthread_mutex_unlock(&arrival_lock);
    }
    return next(condition, mutex);
}

/* Lets that thread wait at last, and returns 1 once it does; 0 where it was too slow to be stopped: a thread that finds
   lines to watch as it begins does not wait at all. */
int fake_arrive(void)
{
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += ARRIVES_WITHIN_S;
    pthread_mutex_lock(&arrival_lock);
    while (arrival != STOPPED)
        if (pthread_cond_timedwait(&arrival_changed, &arrival_lock, &end)) {
            pthread_mutex_unlock(&arrival_lock);
            return 0;
        }
    arrival = EXPECTED;
    pthread_cond_broadcast(&arrival_changed);
    while (arrival != ARRIVED) pthread_cond_wait(&arrival_changed, &arrival_lock);
    pthread_mutex_unlock(&arrival_lock);
    return 1;
}
