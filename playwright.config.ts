import { defineConfig } from '@playwright/test'
import type { EngineName } from './e2e/engines/driver.ts'
import { browserArgs, scriptFlags } from './scripts/browser.mjs'

// biome-ignore lint/style/noProcessEnv: the caller chooses the browser
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

export default defineConfig<object, { engineName: EngineName }>({
  testDir: 'e2e',
  outputDir: '.cache/e2e',
  snapshotPathTemplate: 'e2e/pictures/{arg}{ext}',
  globalSetup: './e2e/global-setup.ts',
  reporter: [['line'], ['json', { outputFile: '.cache/playwright.json' }]],
  // The tag of `long` (fixtures.ts), which only playwright.long.config.ts runs.
  grepInvert: /@long/,
  fullyParallel: true,
  forbidOnly: true,
  // Tests mostly wait for the page, so three workers fit two cores.
  workers: 3,
  // The end of `npm test` names tests that passed only at the second try.
  retries: 1,
  // Long enough for a busy machine.
  timeout: 120_000,
  projects: [
    { name: 'Chromium', testIgnore: /\/e2e\/engines\// },
    // Skipped where the packages of the engine are missing. `npm run test:long -- --only=engines` runs all journeys.
    ...(['Firefox', 'WebKit'] as const).map((engineName) => ({
      name: engineName,
      testMatch: /\/e2e\/engines\/short\.spec\.ts$/,
      use: { engineName },
    })),
  ],
  expect: { timeout: 30_000 },
  use: {
    browserName: 'chromium',
    // A phone. Tests of the layout also set the size of a desktop.
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    launchOptions: {
      executablePath,
      args: [
        ...browserArgs,
        // Pages of tests live for seconds: optimized code and frequent collections of a small heap cost more time than they save.
        // Only the last of these arguments counts.
        `${scriptFlags} --no-opt --no-maglev --min-semi-space-size=16`,
        '--ignore-certificate-errors',
        // A host that browsers do not trust without HTTPS, unlike localhost (e2e/plain-http.spec.ts).
        '--host-resolver-rules=MAP garden.test 127.0.0.1',
      ],
    },
    contextOptions: { reducedMotion: 'reduce' },
    // A service worker would cache the whole app again in every test. Its own tests allow it.
    serviceWorkers: 'block',
    // `npm run smoke-test` uses a self-signed certificate.
    ignoreHTTPSErrors: true,
    locale: 'en-US',
    timezoneId: 'UTC',
    // No traces: the recorder's fetches violate the content security policy, which fails the tests.
    screenshot: 'only-on-failure',
  },
})
