import { useRouter } from '@tanstack/react-router'
import { createAtom, type Readable } from '@tanstack/react-store'

type Undo = () => Promise<unknown>

export interface Toast {
  readonly id: number
  readonly text: string
  readonly undo?: Undo | undefined
}

/** A toast with a button. It stays until the button is pressed or the toast is dismissed. */
export interface ActionToast {
  /** Identifies what it is about: it replaces a toast with the same key. */
  readonly key: string
  readonly text: string
  readonly label: string
  readonly press: () => void
  readonly onDismiss?: () => void
  /** True if it concerns the current member: a change of the login removes it. */
  readonly ofMember?: boolean
}

export interface Toasts {
  readonly toast: Readable<Toast | null>
  readonly actions: Readable<readonly ActionToast[]>
  /** Shows a toast, such as 'Link copied'. A later toast replaces it. */
  show(text: string, undo?: Undo): void
  hide(): void
  /** Shows an action toast. It replaces one with the same key. A toast covers it, and so does a later action toast. */
  showAction(action: ActionToast): void
  /** Removes the action toast with this key. */
  dismissAction(key: string): void
  /** Hides the toast and removes the member's action toasts. */
  endLogin(): void
}

export function createToasts(): Toasts {
  const toast = createAtom<Toast | null>(null)
  const actions = createAtom<readonly ActionToast[]>([])
  return {
    toast,
    actions,
    show: (text, undo) => toast.set((shown) => ({ id: (shown?.id ?? 0) + 1, text, undo })),
    hide: () => toast.set(null),
    showAction: (action) =>
      actions.set((shown) => [...shown.filter(({ key }) => key !== action.key), action]),
    dismissAction: (key) => actions.set((shown) => shown.filter((action) => action.key !== key)),
    endLogin() {
      actions.set((shown) => shown.filter(({ ofMember }) => !ofMember))
      toast.set(null)
    },
  }
}

export function useToasts(): Toasts {
  return useRouter().options.context.toasts
}
