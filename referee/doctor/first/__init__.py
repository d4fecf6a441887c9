"""The first evening on a Pi: nine checks in their order that measure what nobody could without one."""
