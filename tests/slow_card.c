/* A card that stalls: while the file named by STALL is there, nothing that is written comes to the disk.
   Loaded before the C library (LD_PRELOAD); "$STALL.begun" tells that somebody waits. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void stall(void)
{
    const char *name = getenv("STALL");
    char begun[4096];
    if (name == NULL || access(name, F_OK) != 0)
        return;
    snprintf(begun, sizeof begun, "%s.begun", name);
    close(open(begun, O_CREAT | O_WRONLY, 0644));
    while (access(name, F_OK) == 0)
        usleep(5000);
}

static int synced(const char *call, int handle)
{
    int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, call);
    stall();
    return next(handle);
}

int fsync(int handle) { return synced("fsync", handle); }
int fdatasync(int handle) { return synced("fdatasync", handle); }
