import { defineConfig } from '@playwright/test'

// biome-ignore lint/style/noProcessEnv: whoever starts the tests says which browser there is
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

const isRoot = process.getuid?.() === 0

/** Only the last `--disable-features` counts, so these are Playwright's own, too (1.65.1, `chromiumSwitches`). */
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
  // A process for the next page, started in advance: most tests have one page.
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
  snapshotPathTemplate: 'e2e/pictures/{arg}-{projectName}{ext}',
  globalSetup: './e2e/global-setup.ts',
  reporter: [['line'], ['json', { outputFile: '.cache/playwright.json' }]],
  fullyParallel: true,
  forbidOnly: true,
  // Much of a test is waiting for the page. Two would leave much of two cores idle.
  workers: 3,
  // A real browser on a busy machine may stumble once. What passes only at the second try is named at the end of `npm test`: it is to be mended.
  retries: 1,
  // Generous, so that a busy machine is no failure.
  timeout: 60_000,
  expect: { timeout: 15_000 },
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
      ],
    },
    contextOptions: { reducedMotion: 'reduce' },
    // It would take in the whole app anew for every test. The tests that are about it allow it.
    serviceWorkers: 'block',
    // `npm run smoke-test` has a certificate of its own.
    ignoreHTTPSErrors: true,
    locale: 'en-US',
    timezoneId: 'UTC',
    // No traces: the recorder fetches what a page shows, which the content security policy forbids, and the tests see that.
    screenshot: 'only-on-failure',
  },
  projects: [
    {
      name: 'phone',
      // A phone has four pixels where this has one, and nothing here looks at them but components.spec.ts.
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
    // A test runs on the phone only, unless it says `bothSizes` (see fixtures.ts).
    { name: 'desktop', grep: /@desktop/, use: { viewport: { width: 1280, height: 900 } } },
  ],
})
