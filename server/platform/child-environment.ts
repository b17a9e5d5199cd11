/** The environment of programs that Rhubarb starts: without its secrets, and without `PG…` variables that would steer PostgreSQL. */
export const childEnvironment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  TZ: 'UTC',
}
