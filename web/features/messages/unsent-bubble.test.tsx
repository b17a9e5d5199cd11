import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { limits } from '#contract/constants.ts'
import { imageMessages, uploadImage } from '#contract/images.ts'
import { messageErrorMessages, sendMessage } from '#contract/messages.ts'
import { Refusal } from '#web/testing/fake-api.ts'
import { picture, storedUploads, uploadedPhoto } from '#web/testing/picture.ts'
import { renderInApp } from '#web/testing/render-in-app.tsx'
import { storedMessage } from '#web/testing/stored.ts'
import { Composer } from './composer.tsx'
import { createOutbox, type Outbox, OutboxProvider, useUnsent } from './outbox.ts'
import { UnsentBubble } from './unsent-bubble.tsx'

const bob = 2

function Conversation() {
  return (
    <>
      {useUnsent(bob).map((message) => (
        <UnsentBubble key={message.client_id} message={message} />
      ))}
      <Composer receiver={bob} label="Message to bob" />
    </>
  )
}

const inOutbox = (outbox: Outbox) => (
  <OutboxProvider value={outbox}>
    <Conversation />
  </OutboxProvider>
)

async function openConversation() {
  const shown = await renderInApp(null)
  const outbox = createOutbox(shown.app)
  await shown.show(inOutbox(outbox))
  const sent = shown.api.on(sendMessage, ({ body }) => storedMessage(body))
  let uploaded = 0
  const uploads = shown.api.on(uploadImage, () => {
    uploaded += 1
    return uploadedPhoto(uploaded)
  })
  return { ...shown, outbox, sent, uploads }
}

const field = () => page.getByRole('textbox', { name: 'Message to bob' })
const chosen = () => page.getByRole('list', { name: 'Photos to send' }).getByRole('listitem')
const button = (name: string) => page.getByRole('button', { name, exact: true })
const send = () => userEvent.click(button('Send'))
const add = async (...names: string[]) =>
  userEvent.upload(page.getByLabelText('Photos', { exact: true }), await Promise.all(names.map(picture)))

async function say(text: string) {
  await userEvent.fill(field(), text)
  await send()
}

test('photos are uploaded while the message is written, and sent with it or without a text', async () => {
  const { sent, uploads } = await openConversation()
  await add('1.png', '2.png')
  await expect.poll(() => uploads.length).toBe(2)
  await say('Ripe')
  await expect.poll(() => sent.map(({ body }) => [body.content, body.image_ids])).toEqual([['Ripe', [1, 2]]])
  await expect.poll(() => chosen().elements()).toEqual([])
  await add('3.png')
  await send()

  await expect.poll(() => sent.map(({ body }) => [body.content, body.image_ids]).at(-1)).toEqual(['', [3]])
})

test('a message is sent after its photos, and not without one that was refused', async () => {
  const { api, sent, outbox } = await openConversation()
  api.on(uploadImage, () => new Refusal(429, { detail: imageMessages.tooManyPerDay }))
  await add('1.png')
  await expect.element(page.getByText(imageMessages.tooManyPerDay, { exact: false })).toBeVisible()
  await say('Look')
  await expect.poll(() => outbox.state.get().messages[0]?.state).toBe('failed')
  expect(sent).toEqual([])

  api.on(uploadImage, () => uploadedPhoto(5))
  await userEvent.click(button('Try again'))
  await expect.poll(() => sent.map(({ body }) => body.image_ids)).toEqual([[5]])
})

test.each([
  ['contacts_unconfirmed', messageErrorMessages.confirmToContact],
  ['equal_texts', messageErrorMessages.equalTexts],
] as const)('a message that the limit %s refuses says so, and waits for the member', async (code, detail) => {
  const { api, sent, outbox } = await openConversation()
  api.on(sendMessage, () => new Refusal(429, { detail, code }))
  await say('Any kale left?')
  await expect.element(page.getByText(detail, { exact: false })).toBeVisible()
  expect(outbox.state.get().messages[0]).toMatchObject({ state: 'failed', refusal: code })
  expect(sent).toEqual([])
})

test('a message that a pause refuses says until when, also after a reload', async () => {
  const { api, app, show, outbox } = await openConversation()
  const hours = 50
  api.on(
    sendMessage,
    () => new Refusal(403, { detail: '', code: 'paused' }, { 'retry-after': `${hours * 3600}` }),
  )
  await say('Any kale left?')
  const end = new Date(Date.now() + hours * 3_600_000)
  const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' }).format(end)
  const sentence = page.getByText(new RegExp(`Until ${day}, .+ you can read, answer and use the market`))
  await expect.element(sentence).toBeVisible()
  expect(outbox.state.get().messages[0]).toMatchObject({ state: 'failed', refusal: 'paused' })
  await show(null)
  await show(inOutbox(createOutbox(app)))
  await expect.element(sentence).toBeVisible()
})

test('more photos than a message can have are refused with the limit', async () => {
  await openConversation()
  await add(...Array.from({ length: limits.photos.message + 1 }, (_, index) => `${index}.png`))

  await expect.element(page.getByText(messageErrorMessages.tooManyPhotos)).toBeVisible()
  await expect.poll(() => chosen().elements().length).toBe(limits.photos.message)
})

test('chosen photos are there after a reload, with their uploads', async () => {
  const { app, show, uploads, sent } = await openConversation()
  await add('1.png')
  await expect.poll(storedUploads).toEqual([1])
  // A new outbox is that of the next page.
  await show(null)
  await show(inOutbox(createOutbox(app)))
  await expect.poll(() => chosen().elements().length).toBe(1)
  await send()

  await expect.poll(() => sent.map(({ body }) => body.image_ids)).toEqual([[1]])
  expect(uploads).toHaveLength(1)
})

test('a message that failed is restored after a reload and sent with its photo', async () => {
  const { api, app, show, outbox } = await openConversation()
  api.on(sendMessage, () => new Refusal(500, { detail: 'Later' }))
  await add('1.png')
  await say('Look')
  await expect.poll(() => outbox.state.get().messages[0]?.state).toBe('failed')
  await show(null)
  const restored = createOutbox(app)
  await show(inOutbox(restored))
  await expect.element(page.getByText('Not sent.', { exact: false })).toBeVisible()
  const sent = api.on(sendMessage, ({ body }) => storedMessage(body))
  restored.resume()

  await expect.poll(() => sent.map(({ body }) => [body.content, body.image_ids])).toEqual([['Look', [1]]])
  await expect.element(page.getByText('Look')).not.toBeInTheDocument()
})

test('a removed message is not sent, and a failed one holds back later ones to the member', async () => {
  const { api, outbox } = await openConversation()
  api.on(sendMessage, () => new Refusal(500, { detail: 'Later' }))
  await say('one')
  await expect.poll(() => outbox.state.get().messages[0]?.state).toBe('failed')
  await userEvent.click(button('Remove'))
  await expect.element(page.getByText('one')).not.toBeInTheDocument()

  await say('two')
  await expect.poll(() => outbox.state.get().messages.map(({ state }) => state)).toEqual(['failed'])
  const sent = api.on(sendMessage, ({ body }) => storedMessage(body))
  await say('three')
  await expect.poll(() => sent.map(({ body }) => body.content)).toEqual(['two', 'three'])
})

test('a message whose client_id is taken gets another one for the next attempt', async () => {
  const { api, outbox } = await openConversation()
  const refused = api.on(
    sendMessage,
    () => new Refusal(409, { detail: messageErrorMessages.clientIdReused, code: 'client_id_reused' }),
  )
  await say('Another text')
  await expect.poll(() => outbox.state.get().messages[0]?.state).toBe('failed')
  const sent = api.on(sendMessage, ({ body }) => storedMessage(body))
  await userEvent.click(button('Try again'))

  await expect.poll(() => sent.map(({ body }) => body.content)).toEqual(['Another text'])
  expect(sent[0]?.body.client_id).not.toBe(refused[0]?.body.client_id)
})
