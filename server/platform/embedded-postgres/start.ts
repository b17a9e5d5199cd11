import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { prepareCluster } from './cluster.ts'
import { findLocation } from './location.ts'
import { lockFolder } from './lock.ts'
import { findRunning, launch, stopLeftover, stopProcess } from './server-process.ts'

export interface EmbeddedPostgres {
  /** `postgres://rhubarb:…@127.0.0.1:port/rhubarb`. The role owns its database and may create others. */
  readonly url: string
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  /** The folder of the cluster, its password and its lock. It is created if it is missing. */
  readonly folder: string
  /** Server settings over the defaults, as in postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>
  /** Extensions that only a superuser can create. A new cluster has them in its database `postgres`. */
  readonly extensions?: readonly string[]
  /** Uses the server that already runs on the folder, if there is one; `stop` then leaves it running. */
  readonly shared?: boolean
  /** Receives messages for the operator. */
  readonly notice?: (line: string) => void
  /** Receives the lines of PostgreSQL's own log. */
  readonly log?: (line: string) => void
  /** Called when PostgreSQL exits without `stop`, for example because memory is short. By default that is a notice. */
  readonly onExit?: (reason: string) => void
}

/** Settings for a small machine. The messages are not translated, because `launch` reads them. */
const defaultSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  work_mem: '8MB',
  maintenance_work_mem: '128MB',
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  log_line_prefix: '',
  log_checkpoints: 'off',
}

/**
 * Starts the PostgreSQL that npm installed, on the cluster in a folder. One process owns a cluster at a time; a server that a
 * killed owner left behind is stopped first. Throws OperatorError.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { folder, settings = {}, extensions = [], shared = false } = options
  const { notice = () => undefined, log = () => undefined, onExit = notice } = options
  const location = await findLocation(folder, notice)
  const running = shared ? await findRunning(location.folder) : undefined
  if (running) {
    const password = await readFile(join(location.folder, 'password'), 'utf8')
    return { url: urlOf(password, running.port), stop: async () => undefined }
  }

  const lock = await lockFolder(location.folder, folder, notice)
  try {
    await stopLeftover(location, notice)
    const password = await prepareCluster(location, {
      withoutSync: settings.fsync === 'off',
      extensions,
      notice,
    })
    const { postgres, port } = await launch(location, { ...defaultSettings, ...settings }, log)
    let stopping: Promise<void> | undefined
    postgres.once('exit', (code, signal) => {
      if (!stopping) onExit(`PostgreSQL exited unexpectedly (${signal ?? `exit code ${code}`}).`)
    })
    const hasExited = () => postgres.exitCode !== null || postgres.signalCode !== null

    return {
      url: urlOf(password, port),
      stop() {
        stopping ??= stopProcess(postgres.pid, hasExited).finally(() => lock.close())
        return stopping
      },
    }
  } catch (error) {
    lock.close()
    throw error
  }
}

function urlOf(password: string, port: number): string {
  return `postgres://rhubarb:${password}@127.0.0.1:${port}/rhubarb`
}
