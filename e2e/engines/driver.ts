/** The names of the engines, as in the titles of the tests. */
export const engineNames = ['Chromium', 'Firefox', 'WebKit'] as const
export type EngineName = (typeof engineNames)[number]

export const windowSize = { width: 390, height: 844 }

/** The time limit of a command: a browser that hangs fails the test instead of stopping the run. */
export const commandMs = 30_000

/** A key of the W3C's WebDriver, which Playwright calls by its name. */
export const keys = {
  Enter: '\uE007',
  Escape: '\uE00C',
  Tab: '\uE004',
  End: '\uE010',
  ArrowDown: '\uE015',
} as const
export type Key = keyof typeof keys

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** Drives a page of one engine. `EnginePage` adds everything else with these calls. */
export interface Driver {
  goto(url: string): Promise<void>
  /** Calls the function with this source in the page, waits for its promise, and returns its result. */
  evaluate(source: string, args: readonly unknown[]): Promise<unknown>
  clickAt(x: number, y: number): Promise<void>
  type(text: string): Promise<void>
  press(key: Key): Promise<void>
  /** Chooses files in the input that the selector matches. */
  chooseFiles(selector: string, paths: readonly string[]): Promise<void>
  back(): Promise<void>
  screenshot(): Promise<Buffer>
  /** Returns the console's errors and warnings, uncaught errors and violations of the policy since the last call. */
  takeFaults(): string[]
  close(): Promise<void>
}

/** A running browser, which opens pages with empty profiles. */
export interface EngineBrowser {
  open(): Promise<Driver>
  close(): Promise<void>
}

/** Returns the actions of a click for WebDriver, both Classic and BiDi. */
export function clickActions(x: number, y: number) {
  return [
    {
      type: 'pointer',
      id: 'mouse',
      parameters: { pointerType: 'mouse' },
      actions: [
        { type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration: 0 },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ],
    },
  ]
}

/** Returns the actions that type a text for WebDriver, both Classic and BiDi. */
export function keyActions(text: string) {
  const actions = [...text].flatMap((value) => [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ])
  return [{ type: 'key', id: 'keyboard', actions }]
}

/** Logs violations of the content security policy. Runs in the page before its scripts. */
export const reportViolations = `() => document.addEventListener('securitypolicyviolation', (event) => {
  console.error('The policy forbids ' + event.violatedDirective + ': ' + event.blockedURI + ' in ' + event.sourceFile)
})`
