import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readConfig } from '#server/config.ts'

const deploy = join(import.meta.dirname, '..', 'deploy')

const service = z.object({
  image: z.string(),
  build: z.string().optional(),
  env_file: z.string().optional(),
  environment: z.record(z.string(), z.string()).optional(),
  ports: z.array(z.string()).optional(),
  volumes: z.array(z.string()),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).optional(),
  command: z.array(z.string()).optional(),
  entrypoint: z.array(z.string()).optional(),
  profiles: z.array(z.string()).optional(),
  user: z.string().optional(),
})
const compose = z.object({
  services: z.record(z.string(), service),
  volumes: z.record(z.string(), z.null()),
})

const { services, volumes } = compose.parse(load(readFileSync(join(deploy, 'compose.yml'), 'utf8')))

describe('the Compose file', () => {
  test('has a node, PostgreSQL, a proxy with HTTPS and a backup', () => {
    expect(Object.keys(services).sort()).toEqual([
      'assets',
      'backup',
      'caddy',
      'postgres',
      'restore',
      'rhubarb',
    ])
  })

  test('builds its own image for each service that runs it, instead of looking for it in a registry', () => {
    for (const [name, { image, build }] of Object.entries(services))
      expect(build, name).toBe(image === 'rhubarb' ? '..' : undefined)
  })

  test('keeps the assets of all releases, which open pages load after an update and after a rollback', () => {
    const { assets, rhubarb } = services
    expect(assets?.command).toEqual(['cp', '-ru', 'dist/web/assets/.', '/assets/'])
    expect(assets?.volumes).toEqual(['assets:/assets'])
    expect(rhubarb?.volumes).toContain('assets:/opt/rhubarb/dist/web/assets:ro')
    expect(rhubarb?.depends_on?.assets).toEqual({ condition: 'service_completed_successfully' })
    expect(assets?.image).toBe(rhubarb?.image)
  })

  test('gives the node settings that it accepts, with the example as .env', () => {
    const example = parseEnv(readFileSync(join(deploy, 'rhubarb.env.example'), 'utf8'))
    for (const name of ['rhubarb', 'backup', 'restore']) {
      const config = readConfig({ ...example, ...services[name]?.environment })
      expect(config.database.url).toBe('postgres://rhubarb:CHANGE-ME@postgres:5432/rhubarb')
      expect(config.mail.smtpUrl).toContain('requireTLS=true')
      expect(config).toMatchObject({ host: '0.0.0.0', redisUrl: undefined, trustedProxies: ['uniquelocal'] })
    }
  })

  test('gives the proxy its address, and no passwords', () => {
    const { env_file, environment } = services.caddy ?? {}
    expect([env_file, Object.keys(environment ?? {})]).toEqual([undefined, ['PUBLIC_URL']])
  })

  test('publishes only the ports of the proxy', () => {
    const published = Object.entries(services).flatMap(([name, { ports }]) => (ports ? [name] : []))
    expect(published).toEqual(['caddy'])
  })

  test('keeps data in volumes, and mounts files that exist', () => {
    for (const mount of Object.values(services).flatMap((each) => each.volumes)) {
      const [source = ''] = mount.split(':')
      if (source.startsWith('./')) expect(existsSync(join(deploy, source)), source).toBe(true)
      else if (!source.startsWith('$')) expect(volumes).toHaveProperty(source)
    }
  })

  test('backs up the database and the images every night by a command that exists', () => {
    const script = services.backup?.command?.at(-1) ?? ''
    expect(script).toContain('node server/backup/main.ts backup /backups/')
    expect(services.backup?.volumes).toContainEqual(expect.stringMatching(/:\/backups$/))
    expect(spawnSync('sh', ['-n', '-c', script.replaceAll('$$', '$')]).status).toBe(0)
  })

  test('keeps backups and settings, which are in its folder, out of the image', () => {
    expect(services.backup?.volumes).toContainEqual(expect.stringContaining(':-./backups}:/backups'))
    const ignored = readFileSync(join(deploy, '..', '.dockerignore'), 'utf8').split('\n')
    expect(ignored).toContain('deploy')
  })

  test('restores a backup while the node is stopped, to folders that the node can use', () => {
    const { depends_on, profiles, volumes: mounts = [], entrypoint = [], user } = services.restore ?? {}
    // A service without a profile starts with the site, and `run` starts what it depends on.
    expect([profiles, Object.keys(depends_on ?? {})]).toEqual([['restore'], ['postgres']])
    expect(mounts).toContain(services.rhubarb?.volumes.find((mount) => mount.endsWith(':/var/lib/rhubarb')))
    // Only root can read what the backup has written, and the node runs as another user.
    expect([user, services.backup?.user]).toEqual(['root', 'root'])

    const programs = mkdtempSync(join(tmpdir(), 'rhubarb-compose-'))
    for (const name of ['node', 'chown']) {
      writeFileSync(join(programs, name), `#!/bin/sh\necho ${name} "$@"\n`)
      chmodSync(join(programs, name), 0o755)
    }
    const [shell = '', ...words] = entrypoint.map((word) => word.replaceAll('$$', '$'))
    const { stdout } = spawnSync(shell, [...words, '/backups/2026-11-21', '--replace'], {
      env: { PATH: `${programs}:/usr/bin:/bin` },
      encoding: 'utf8',
    })
    rmSync(programs, { recursive: true })
    expect(stdout.split('\n')).toEqual([
      'node server/backup/main.ts restore /backups/2026-11-21 --replace',
      'chown -R node:node /var/lib/rhubarb',
      '',
    ])
  })

  const docker = spawnSync('docker', ['compose', 'version']).status === 0
  test.runIf(docker)('is valid for Docker Compose', () => {
    const { status, stderr } = spawnSync(
      'docker',
      [
        'compose',
        '--env-file',
        join(deploy, 'rhubarb.env.example'),
        '-f',
        join(deploy, 'compose.yml'),
        'config',
        '--quiet',
      ],
      { encoding: 'utf8' },
    )
    expect(stderr).toBe('')
    expect(status).toBe(0)
  })
})
