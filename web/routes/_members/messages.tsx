import { createFileRoute } from '@tanstack/react-router'
import { readWords } from '#web/features/listings/market-search.ts'
import { MessagesScreen } from '#web/features/messages/messages-screen.tsx'

/** The list of conversations, beside the open one where there is room. */
export const Route = createFileRoute('/_members/messages')({
  validateSearch: readWords,
  component: MessagesScreen,
})
