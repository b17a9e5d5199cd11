import { expect, test, vi } from 'vitest'
import { renderInApp } from '#web/testing/render-in-app.tsx'
import { LoadMore } from './load-more.tsx'

test('the next page loads before the end of a scrolling box is reached', async () => {
  const fetchNextPage = vi.fn()
  const { screen } = await renderInApp(
    <div data-testid="box" style={{ height: 300, overflowY: 'auto' }}>
      <div style={{ height: 2000 }} />
      <LoadMore
        hasNextPage
        isRefetching={false}
        isFetchingNextPage={false}
        isFetchNextPageError={false}
        fetchNextPage={fetchNextPage}
        failure="Failed"
        items={[1]}
        isPlaceholderData={false}
      />
    </div>,
  )
  const box = screen.getByTestId('box').element()
  expect(fetchNextPage).not.toHaveBeenCalled()

  // The end is 400 pixels below the box.
  box.scrollTop = 2000 - 300 - 400
  await vi.waitFor(() => expect(fetchNextPage).toHaveBeenCalledOnce())
})

test('the next page loads by itself only after the loaded pages were fetched again', async () => {
  const fetchNextPage = vi.fn()
  const list = {
    hasNextPage: true,
    isFetchingNextPage: false,
    isFetchNextPageError: false,
    isPlaceholderData: false,
  }
  const more = (isRefetching: boolean) => (
    <LoadMore
      {...list}
      isRefetching={isRefetching}
      fetchNextPage={fetchNextPage}
      failure="Failed"
      items={[1]}
    />
  )
  const { show } = await renderInApp(more(true))
  await new Promise<unknown>((resolve) => requestIdleCallback(resolve))
  await new Promise(requestAnimationFrame)
  await new Promise(requestAnimationFrame)
  expect(fetchNextPage).not.toHaveBeenCalled()
  await show(more(false))
  await vi.waitFor(() => expect(fetchNextPage).toHaveBeenCalledOnce())
})
