/** ioredis writes on an error the command that failed; its arguments hold what users sent, which no log may. */
export function forgetCommand(error: unknown): void {
  if (error instanceof Error) Reflect.deleteProperty(error, "command");
}
