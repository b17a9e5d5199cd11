/** The environment of child processes, without secrets and without `PG…` variables, which configure PostgreSQL clients. */
export const childEnvironment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  TZ: 'UTC',
}
