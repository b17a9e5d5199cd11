import { createFileRoute } from '@tanstack/react-router'
import { MessagesScreen } from '#web/features/messages/messages-screen.tsx'
import { readWords } from '#web/ui/search-words.ts'

/** The layout route of the conversations: the list, with the open conversation beside it in wide windows. */
export const Route = createFileRoute('/_members/messages')({
  validateSearch: (address: Record<string, unknown>) => readWords(address, 1),
  component: MessagesScreen,
})
