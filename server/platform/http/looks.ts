import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { Metrics } from '#server/platform/metrics.ts'
import { budgets } from '#server/platform/token-buckets.ts'
import type { Site } from './pages.ts'

/** A screen as its member sees it first: its markup, and the title of its page. */
export interface Look {
  readonly markup: string
  readonly title: string
}

/** What is drawn: the screen at a path, for a member, of these answers (`writtenOut`). */
export interface Wanted {
  readonly path: string
  readonly member: number
  readonly answers: string
}

/** What the build leaves in `dist/look`. */
export interface LookModule {
  setSite(site: Site): void
  /** Draws every screen once: the first look of each takes longer than a page waits. */
  rehearse(): Promise<void>
  drawLook(path: string, member: number, answers: unknown): Promise<Look>
}

/** What the thread answers: nothing of both when it is ready, or the failure of its rehearsal. */
export interface Drawing {
  readonly look?: Look
  readonly failure?: string
}

export interface Looks {
  /** Starts the thread and resolves when it is ready, so that whoever comes first finds it so, or has ended. */
  begin(): Promise<void>
  /** Resolves to nothing when it can't be drawn, or not soon: then the page goes without. Never rejects. */
  draw(wanted: Wanted): Promise<Look | undefined>
  stop(): Promise<void>
}

export interface LooksOptions {
  /** The file that the build has left. */
  readonly module: string
  readonly site: Site
  readonly log: Logger
  readonly outcomes: Metrics['looks']
  /** A page is not held up for longer, waiting and drawing together. */
  readonly patienceMs?: number
  /** Before another thread starts after one has ended by itself. */
  readonly restMs?: number
  /** Whoever draws for longer draws for ever. */
  readonly stuckMs?: number
}

const mostWaiting = 16
/** A member's milliseconds of drawing: whose screens are heavy, for what others wrote to them or they to others, leaves everybody theirs. */
const share = { burst: 2000, perSecond: 200 }
/** Several times what it needs; it would take far more before it tidies up. */
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 }

/** Why a page goes without: it could not be drawn, not soon, others or its own member have the thread's time, or there is no thread. */
type Lack = 'failed' | 'late' | 'busy' | 'away'

interface Asked {
  readonly wanted: Wanted
  readonly answer: (look: Look | Lack) => void
}

/** Draws first looks in a thread, which starts when it is told to, or the first is wanted. */
export function createLooks({
  module,
  site,
  log,
  outcomes,
  patienceMs = 150,
  restMs = 10_000,
  stuckMs = 3000,
}: LooksOptions): Looks {
  const waiting = new Set<Asked>()
  const times = budgets<number>(share)
  let thread: Worker | undefined
  let ready = false
  let drawing: (Asked & { readonly since: number }) | undefined
  let stuck: NodeJS.Timeout | undefined
  let restUntil = 0
  let stopped = false
  const begun = Promise.withResolvers<void>()

  function start() {
    const workerData = { module: pathToFileURL(module).href, site }
    const started = new Worker(join(import.meta.dirname, 'look-thread.ts'), { workerData, resourceLimits })
    thread = started
    started.unref()
    started.on('message', ({ look, failure }: Drawing) => {
      ready = true
      begun.resolve()
      if (failure !== undefined)
        log.warn({ failure, path: drawing?.wanted.path }, 'A first look could not be drawn')
      next(look ?? 'failed')
    })
    started.on('error', (error) => log.warn({ err: error }, 'The thread of first looks has failed'))
    started.on('exit', () => {
      if (!stopped) log.warn({ path: drawing?.wanted.path }, 'The thread of first looks has ended')
      thread = undefined
      ready = false
      begun.resolve()
      restUntil = performance.now() + restMs
      next('failed')
    })
  }

  /** Answers who was drawn for, and draws for who waits longest. */
  function next(look: Look | Lack) {
    clearTimeout(stuck)
    if (drawing) times.spend(drawing.wanted.member, performance.now() - drawing.since)
    drawing?.answer(look)
    drawing = undefined
    if (!ready) return
    const [first] = waiting
    if (first === undefined) return
    waiting.delete(first)
    drawing = { ...first, since: performance.now() }
    thread?.postMessage(first.wanted)
    stuck = setTimeout(() => thread?.terminate(), stuckMs).unref()
  }

  function ask(wanted: Wanted): Promise<Look | Lack> | Lack {
    if (thread === undefined && !stopped && performance.now() >= restUntil) start()
    if (!ready) return 'away'
    if (waiting.size >= mostWaiting || !times.hasLeft(wanted.member)) return 'busy'
    return new Promise((resolve) => {
      const patience = setTimeout(() => asked.answer('late'), patienceMs).unref()
      const asked: Asked = {
        wanted,
        answer(look) {
          clearTimeout(patience)
          waiting.delete(asked)
          resolve(look)
        },
      }
      waiting.add(asked)
      if (drawing === undefined) next('away')
    })
  }

  return {
    begin() {
      if (thread === undefined && !stopped) start()
      return begun.promise
    },
    async draw(wanted) {
      const look = await ask(wanted)
      const isDrawn = typeof look === 'object'
      outcomes.inc({ outcome: isDrawn ? 'drawn' : look })
      return isDrawn ? look : undefined
    },
    async stop() {
      stopped = true
      await thread?.terminate()
      for (const { answer } of waiting) answer('away')
    },
  }
}
