import { existsSync } from 'node:fs'
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, run } from '../../scripts/setup.mjs'

// Installs Lighthouse on first use, because it is five times as large as all other development dependencies.
const installFolder = join(root, '.cache', 'bench-web')
/** The folder with Lighthouse's `package.json` and lockfile. */
const packageFolder = join(import.meta.dirname, 'lighthouse')

interface Audit {
  readonly numericValue?: number
  readonly score: number | null
  readonly title: string
  readonly details?: { readonly items?: readonly NetworkItem[] }
}

interface NetworkItem {
  readonly resourceType?: string
  readonly networkRequestTime?: number
  readonly observedLargestContentfulPaint?: number
  readonly url?: string
}

export interface Report {
  readonly categories: Record<
    string,
    {
      readonly score: number
      readonly auditRefs: readonly { readonly id: string; readonly weight: number }[]
    }
  >
  readonly audits: Record<string, Audit | undefined>
  /** The index is the speed of the machine: about 1,500 for a fast desktop computer. */
  readonly environment: { readonly benchmarkIndex: number }
  readonly runtimeError?: { readonly message: string }
}

type Lighthouse = (url: string, flags: object) => Promise<{ readonly lhr: Report } | undefined>

/** Installs the version of the lockfile unless it is installed already. */
async function install(): Promise<void> {
  const [wantedLock, installedLock] = await Promise.all(
    [packageFolder, installFolder].map((folder) =>
      readFile(join(folder, 'package-lock.json'), 'utf8').catch(() => ''),
    ),
  )
  if (wantedLock === installedLock && existsSync(join(installFolder, 'node_modules', '.package-lock.json')))
    return
  await cp(packageFolder, installFolder, { recursive: true })
  const code = await run('npm', [
    'ci',
    '--prefix',
    installFolder,
    '--loglevel=error',
    '--no-audit',
    '--no-fund',
  ])
  if (code !== 0) throw new Error('npm could not install Lighthouse. Its output is above.')
}

/**
 * Runs Lighthouse for a phone with a slow network and a CPU slowed down four times, in the browser at this port. The method
 * `simulate` calculates the times from a fast visit, `devtools` slows the visit down.
 */
export async function openLighthouse(
  port: number,
  throttlingMethod: 'simulate' | 'devtools',
): Promise<(url: string) => Promise<Report>> {
  await install()
  const entry = pathToFileURL(join(installFolder, 'node_modules', 'lighthouse', 'core', 'index.js')).href
  const { default: lighthouse }: { default: Lighthouse } = await import(entry)
  return async (url) => {
    const { lhr } =
      (await lighthouse(url, { port, throttlingMethod, logLevel: 'error', output: 'json' })) ?? {}
    if (lhr === undefined || lhr.runtimeError) throw new Error(`${url}: ${lhr?.runtimeError?.message}`)
    return lhr
  }
}
