import { expect, test } from 'vitest'
import { renderInApp } from '#web/testing/render-in-app.tsx'
import { OtherAddress } from './other-address.tsx'

test('warns at an address that is not the public URL, and links to that', async () => {
  const { screen, app, show } = await renderInApp(<OtherAddress />)
  await expect.element(screen.getByText('Photos and new messages do not come')).not.toBeInTheDocument()

  Object.assign(app.site, { canonicalUrl: location.origin })
  await show(<OtherAddress key="public" />)
  await expect.element(screen.getByText('Photos and new messages do not come')).not.toBeInTheDocument()

  Object.assign(app.site, { canonicalUrl: 'https://rhubarb.test' })
  await show(<OtherAddress key="other" />)
  await expect.element(screen.getByText(/^Photos and new messages do not come at this address/)).toBeVisible()
  await expect
    .element(screen.getByRole('link', { name: 'https://rhubarb.test' }))
    .toHaveAttribute('href', 'https://rhubarb.test')
})
