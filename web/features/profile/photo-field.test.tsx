import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { errorMessages } from '#contract/error-messages.ts'
import { ApiError } from '#web/api/api-error.ts'
import type { PhotoList } from '#web/features/images/photo-list.ts'
import { picture } from '#web/testing/picture.ts'
import { renderInApp } from '#web/testing/render-in-app.tsx'
import { PhotoField } from './photo-field.tsx'
import { useProfilePhoto } from './photo-input.tsx'

/** The list of the shown field. */
let list: PhotoList

function Field() {
  list = useProfilePhoto()
  return <PhotoField id={1} name="ann" current={null} list={list} />
}

const input = () => page.getByLabelText(/^(Add a|Change) photo$/)
const remove = () => page.getByRole('button', { name: 'Remove' })
const names = () => list.state.get().photos.map(({ file, step }) => [file?.name, step])

async function openField(...files: string[]) {
  const shown = await renderInApp(<Field />)
  for (const name of files) await userEvent.upload(input(), await picture(name))
  return {
    ...shown,
    async reopen() {
      await shown.show(null)
      await expect.element(input()).not.toBeInTheDocument()
      await shown.show(<Field />)
    },
  }
}

/** Submits the form. Returns the names of the sent files. */
async function submit() {
  const sent: (string | undefined)[] = []
  await list.submitFile(async (file) => sent.push(file?.name))
  return sent
}

test('a chosen photo is prepared, and sent once with the form', async () => {
  await openField('face.png')
  await expect.poll(names).toEqual([['face.jpg', 'prepared']])

  expect(await submit()).toEqual(['face.jpg'])
  await expect.element(remove()).not.toBeInTheDocument()
  expect(await submit()).toEqual([undefined])
})

test('another photo replaces the first, and a removed one is not sent', async () => {
  await openField('face.png', 'back.png')
  await expect.poll(names).toEqual([['back.jpg', 'prepared']])
  await userEvent.click(remove())
  await expect.element(input()).toHaveFocus()

  expect(await submit()).toEqual([undefined])
})

test('a file that is no picture is refused with a reason, and the chosen photo stays', async () => {
  await openField('face.png')
  await userEvent.upload(input(), new File(['beans'], 'beans.pdf', { type: 'application/pdf' }))

  await expect.element(page.getByText(errorMessages.notAnImage)).toBeVisible()
  await expect.poll(names).toEqual([['face.jpg', 'prepared']])
})

test('a chosen photo is there when the form opens again, until it is saved', async () => {
  const { reopen } = await openField('face.png')
  await expect.poll(names).toEqual([['face.jpg', 'prepared']])
  await reopen()
  await expect.poll(names).toEqual([['face.jpg', 'prepared']])
  await expect.element(remove()).toBeVisible()

  await submit()
  await reopen()
  await expect.element(remove()).not.toBeInTheDocument()
})

test('a photo whose upload fails stays chosen', async () => {
  await openField('face.png')
  const refusal = new ApiError({ status: 413, detail: 'Too large.' })
  await expect(list.submitFile(() => Promise.reject(refusal))).rejects.toBe(refusal)

  await expect.element(remove()).toBeVisible()
  expect(await submit()).toEqual(['face.jpg'])
})
