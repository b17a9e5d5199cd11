import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import tls from 'node:tls'
import { parseEnv } from 'node:util'
import { childEnvironment } from '#server/platform/child-environment.ts'
import { freePort } from '#test/free-port.ts'
import { startRedis } from '#test/redis-server.ts'
import {
  asPostgres,
  ensurePrograms,
  isRoot,
  postgresPrograms,
  runProgram,
  startProgram,
  waitForResponse,
} from './programs.ts'

const root = join(import.meta.dirname, '..', '..')
const deploy = join(root, 'deploy')

/**
 * A Debian machine set up like in docs/deployment.md, in a folder and on loopback: PostgreSQL, Redis and nginx from their packages with
 * the files of deploy/, and a release installed by npm. All of it is removed afterwards.
 */
export async function openMachine() {
  await ensurePrograms('nginx', 'redis-server', 'openssl')
  await using building = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'rhubarb-smoke-test-'))
  building.defer(() => rm(folder, { recursive: true, force: true }))
  // The PostgreSQL user needs access.
  await chmod(folder, 0o755)

  const release = join(folder, 'rhubarb-1')
  const nextRelease = join(folder, 'rhubarb-2')
  console.log('Installing a release, and the next one')
  await installReleases(release, nextRelease)
  console.log('Starting PostgreSQL and Redis')
  const databaseUrl = await startPostgres(join(folder, 'postgresql'), building)
  const redis = building.use(await startRedis())

  const nodePorts = [await freePort(), await freePort()]
  const ports = { http: await freePort(), https: await freePort(), nodes: nodePorts }
  const url = `https://localhost:${ports.https}`
  const certificate = await createCertificate(folder)
  const authorities = [...tls.getCACertificates('default'), await readFile(certificate.path, 'utf8')]
  tls.setDefaultCACertificates(authorities)
  const shared = {
    PUBLIC_URL: url,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redis.url,
    DATA_DIR: join(folder, 'data'),
    SUPPORT_EMAIL: 'hello@rhubarb.example',
  }

  console.log('Starting nginx')
  building.use(await startNginx(folder, ports, certificate))
  await checkUnit(folder, release)
  const stack = building.move()

  /** Starts a node of a release with the settings of the example and these for the placeholders. */
  async function startNode(from: string, port: number, settings: Settings) {
    const node = await startNodeProcess(folder, from, { ...shared, ...settings, PORT: String(port) })
    stack.use(node)
    await waitForResponse(`http://127.0.0.1:${port}/readyz`, `The node on port ${port}`)
    return { port, ...node }
  }
  const startNodes = (settings: Settings) =>
    Promise.all(ports.nodes.map((port) => startNode(release, port, settings)))

  return {
    url,
    httpUrl: `http://localhost:${ports.http}`,
    nodeUrls: ports.nodes.map((port) => `http://127.0.0.1:${port}`),
    dataDir: shared.DATA_DIR,
    databaseUrl,
    certificate: certificate.path,
    release,
    nextRelease,
    startNode,
    startNodes,
    log: (name: string) => readFile(join(folder, name), 'utf8'),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

type Settings = Readonly<Record<string, string>>

async function startNodeProcess(folder: string, release: string, settings: Settings) {
  const example = parseEnv(await readFile(join(deploy, 'rhubarb.env.example'), 'utf8'))
  return startProgram(join(release, 'node_modules/.bin/node'), [join(release, 'server/main.ts')], {
    cwd: release,
    log: join(folder, `node-${settings.PORT}.log`),
    env: {
      ...childEnvironment,
      ...example,
      // The test's own URLs have their passwords.
      DATABASE_PASSWORD: '',
      SMTP_PASSWORD: '',
      ...settings,
      METRICS_PORT: String(await freePort()),
      LOG_LEVEL: 'warn',
    },
  })
}
export type Machine = Awaited<ReturnType<typeof openMachine>>
export type RunningNode = Awaited<ReturnType<Machine['startNodes']>>[number]

/** Runs a check and prints its name when it has passed. */
export async function step(what: string, check: () => Promise<void>) {
  try {
    await check()
  } catch (error) {
    console.log(`  ✗ ${what}`)
    throw error
  }
  console.log(`  ✓ ${what}`)
}

/** Installs the files of the git tree as two releases with the commands of docs/deployment.md. The next one has another script and style. */
async function installReleases(folder: string, next: string) {
  const files = (await runProgram('git', ['ls-files', '-z'], { cwd: root })).split('\0').filter(Boolean)
  for (const file of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await cp(join(root, file), join(folder, file))
  }
  const npm = (cwd: string, ...args: string[]) => runProgram('npm', args, { cwd })
  await npm(folder, 'run', 'setup')
  await runProgram('cp', ['-a', folder, next])
  await appendTo(join(next, 'web/client.tsx'), "document.documentElement.dataset['release'] = 'next'\n")
  await appendTo(join(next, 'web/styles/base.css'), ':root { --release: next; }\n')
  await npm(next, 'run', 'setup')
  for (const release of [folder, next]) await npm(release, 'prune', '--omit=dev', '--no-audit', '--no-fund')
}

/** Appends to a file. Throws if it does not exist, unlike `appendFile`. */
async function appendTo(path: string, text: string) {
  await writeFile(path, (await readFile(path, 'utf8')) + text)
}

/** Starts Debian's PostgreSQL with a role and a database for Rhubarb. Returns the URL of the database. */
async function startPostgres(folder: string, building: AsyncDisposableStack): Promise<string> {
  const programs = postgresPrograms()
  if (programs === undefined)
    throw new Error('The smoke test needs PostgreSQL. Install the package postgresql.')
  await mkdir(folder)
  if (isRoot) {
    const [uid = 0, gid = 0] = (await runProgram('sh', ['-c', 'id -u postgres; id -g postgres']))
      .split('\n')
      .map(Number)
    await chown(folder, uid, gid)
  }
  const port = await freePort()
  const data = join(folder, 'data')
  await runProgram(
    ...asPostgres([
      join(programs, 'initdb'),
      '-D',
      data,
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C.UTF-8',
    ]),
  )
  const options = ['-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1']
  const [command, args] = asPostgres([join(programs, 'postgres'), '-D', data, ...options])
  const server = await startProgram(command, args, { log: join(folder, '..', 'postgresql.log') })
  // SIGINT is the fast shutdown.
  building.defer(() => server.stop('SIGINT'))
  const psql = (statement: string) =>
    runProgram(
      ...asPostgres([join(programs, 'psql'), '-h', folder, '-p', String(port), '-qc', statement, 'postgres']),
    )
  await retry(() => psql('select 1'))
  await psql("create role rhubarb login password 'smoke-test'")
  await psql('create database rhubarb owner rhubarb')
  return `postgres://rhubarb:smoke-test@127.0.0.1:${port}/rhubarb`
}

async function retry(step: () => Promise<unknown>) {
  for (let tries = 100; ; tries -= 1) {
    try {
      await step()
      return
    } catch (error) {
      if (tries === 0) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

/** Creates a self-signed certificate for localhost. */
async function createCertificate(folder: string) {
  const path = join(folder, 'fullchain.pem')
  const key = join(folder, 'privkey.pem')
  await runProgram('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', path],
  ])
  return { path, key }
}

/** Starts nginx with the site of deploy/nginx, on other ports and with another certificate. Throws if a line to replace is missing. */
async function startNginx(
  folder: string,
  ports: { http: number; https: number; nodes: readonly number[] },
  certificate: { path: string; key: string },
) {
  let site = await readFile(join(deploy, 'nginx/rhubarb.conf'), 'utf8')
  const changes: [string, string][] = [
    ['127.0.0.1:3001', `127.0.0.1:${ports.nodes[0]}`],
    ['127.0.0.1:3002', `127.0.0.1:${ports.nodes[1]}`],
    ['listen 80;', `listen 127.0.0.1:${ports.http};`],
    ['listen [::]:80;', ''],
    ['listen 443 ssl', `listen 127.0.0.1:${ports.https} ssl`],
    ['listen [::]:443 ssl http2;', ''],
    ['https://$host$request_uri', `https://$host:${ports.https}$request_uri`],
    ['/etc/letsencrypt/live/rhubarb.example/fullchain.pem', certificate.path],
    ['/etc/letsencrypt/live/rhubarb.example/privkey.pem', certificate.key],
    ['server_name rhubarb.example;', 'server_name localhost;'],
  ]
  for (const [from, to] of changes) {
    if (!site.includes(from)) throw new Error(`deploy/nginx/rhubarb.conf has no ${from}`)
    site = site.replaceAll(from, to)
  }
  await writeFile(join(folder, 'site.conf'), site)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/nginx-${name};`)
    .join('\n  ')
  await writeFile(
    join(folder, 'nginx.conf'),
    `${isRoot ? 'user root;' : ''}
pid ${folder}/nginx.pid;
error_log ${folder}/nginx-error.log;
events {}
http {
  access_log ${folder}/nginx-access.log;
  ${temporary}
  include ${folder}/site.conf;
}
`,
  )
  const args = ['-c', join(folder, 'nginx.conf'), '-p', folder, '-g', 'daemon off;']
  const program = '/usr/sbin/nginx'
  await runProgram(program, [...args, '-t'])
  return startProgram(program, args, { log: join(folder, 'nginx.log') })
}

/** Verifies the unit with systemd where it is available. */
async function checkUnit(folder: string, release: string) {
  const unit = await readFile(join(deploy, 'systemd/rhubarb@.service'), 'utf8')
  const path = join(folder, 'rhubarb@3001.service')
  await writeFile(path, unit.replaceAll('/opt/rhubarb', release).replaceAll('=rhubarb\n', '=daemon\n'))
  try {
    await runProgram('systemd-analyze', ['verify', '--man=no', path])
    console.log('systemd accepts the unit')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    console.log('The unit is not verified, because systemd-analyze is not installed')
  }
}
