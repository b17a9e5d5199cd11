import { defineConfig } from '@playwright/test'

// biome-ignore lint/style/noProcessEnv: the caller chooses the browser
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

const isRoot = process.getuid?.() === 0

/** Includes Playwright's own features (1.65.1, `chromiumSwitches`), because only the last `--disable-features` counts. */
const disabledFeatures = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
  // A process for the next page, started in advance.
  'SpareRendererForSitePerProcess',
  // Chromium 156 loads three pages for its address bar with every window, for twice the processor time of a test.
  'PreloadTopChromeWebUI',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxPopup',
].join(',')

export default defineConfig({
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
  expect: { timeout: 30_000 },
  use: {
    browserName: 'chromium',
    launchOptions: {
      executablePath,
      args: [
        // Chromium's sandbox does not work for root.
        ...(isRoot ? ['--no-sandbox'] : []),
        '--disable-gpu',
        `--disable-features=${disabledFeatures}`,
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-quic',
        '--no-first-run',
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
  projects: [
    {
      name: 'phone',
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
    // Runs only tests with the tag of `bothSizes` (fixtures.ts).
    { name: 'desktop', grep: /@desktop/, use: { viewport: { width: 1280, height: 900 } } },
  ],
})
