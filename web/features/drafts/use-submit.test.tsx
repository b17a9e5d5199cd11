import { useForm } from 'react-hook-form'
import { expect, expectTypeOf, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { z } from 'zod/mini'
import { ApiError } from '#web/api/api-error.ts'
import { renderInApp } from '#web/testing/render-in-app.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Form, fieldOf } from '#web/ui/form.tsx'
import { useFormDraft } from './use-form-draft.ts'
import { useSubmit } from './use-submit.ts'

const schema = z.object({ title: z.string(), secret: z.string() })
const saved = { title: '', secret: '' }

/** Receives the fields that the form sends. Each test sets it. */
let send: (fields: typeof saved) => Promise<string>
let left = 0

function TestForm() {
  const form = useForm({ defaultValues: saved })
  const draft = useFormDraft(form, { key: 'test', schema, saved, secret: ['secret'] })
  const submit = useSubmit(form, {
    send: (fields) => send(fields),
    draft,
    toast: (result) => `${result} sent`,
    leave: () => {
      left += 1
    },
    failure: { text: 'Not sent' },
  })
  return (
    <Form form={form} onSubmit={submit}>
      <TextField label="Title" {...fieldOf(form, 'title')} />
      <TextField label="Secret" {...fieldOf(form, 'secret')} />
      <button type="submit">send</button>
    </Form>
  )
}

const title = () => page.getByRole('textbox', { name: 'Title' })
const press = () => userEvent.click(page.getByRole('button', { name: 'send' }))
const stored = () => localStorage.getItem('draft:1:test')

async function openForm() {
  left = 0
  const shown = await renderInApp(<TestForm />)
  await userEvent.fill(title(), 'Quinces')
  await userEvent.fill(page.getByRole('textbox', { name: 'Secret' }), 'plum')
  return { ...shown, toast: () => shown.app.toasts.toast.get()?.text }
}

test('a success removes the draft, shows the toast and leaves the form', async () => {
  const { toast } = await openForm()
  expect(stored()).toBe('{"fields":{"title":"Quinces"}}')
  send = async (fields) => fields.title
  await press()

  await expect.poll(toast).toBe('Quinces sent')
  expect(stored()).toBeNull()
  expect(left).toBe(1)
})

test('a failure keeps what was typed, in the form and in its draft, but no secret field', async () => {
  const { show } = await openForm()
  send = () => Promise.reject(new Error('No network'))
  await press()
  await expect.element(page.getByRole('alert')).toHaveTextContent('Not sent')
  await expect.element(title()).toHaveValue('Quinces')
  await show(null)
  await show(<TestForm />)

  await expect.element(title()).toHaveValue('Quinces')
  await expect.element(page.getByRole('textbox', { name: 'Secret' })).toHaveValue('')
  expect(left).toBe(0)
})

test('what is typed while the form is being sent stays as a draft', async () => {
  const { toast } = await openForm()
  const sent = Promise.withResolvers<string>()
  send = () => sent.promise
  await press()
  await userEvent.fill(title(), 'Quinces and medlars')
  sent.resolve('Quinces')

  await expect.poll(toast).toBe('Quinces sent')
  expect(stored()).toContain('Quinces and medlars')
})

test('a failure after the member has left the form is shown as a toast, and the draft stays', async () => {
  const { show, toast } = await openForm()
  const failing = Promise.withResolvers<string>()
  send = () => failing.promise
  await press()
  await show(null)
  failing.reject(new ApiError({ status: 500, detail: 'Back at noon.' }))

  await expect.poll(toast).toBe('Back at noon.')
  expect(stored()).toContain('Quinces')
  expect(left).toBe(0)
})

test('a draft whose schema lacks a field of the form does not compile', () => {
  type SchemaOption<Schema extends z.ZodMiniType> = Parameters<
    typeof useFormDraft<typeof saved, typeof saved, Schema>
  >[1]['schema']
  const incomplete = z.object({ title: z.string() })

  expectTypeOf<SchemaOption<typeof schema>>().toEqualTypeOf<typeof schema>()
  expectTypeOf<SchemaOption<typeof incomplete>>().toBeNever()
})
