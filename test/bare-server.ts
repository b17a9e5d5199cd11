/** A server process for machines to talk to: on any port of this machine, without the demo, without the limits that are there against load. */
export const bareSettings = {
  DEMO_DATA: 'off',
  HOST: '127.0.0.1',
  PORT: '0',
  METRICS_PORT: 'off',
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'warn',
}

/** Where a program listens, when this line of what it says tells so. */
export function readyUrl(line: string): string | undefined {
  const port = /ready at http:\/\/[^:]+:(\d+)/.exec(line)?.[1]
  return port && `http://127.0.0.1:${port}`
}
