import { type ComponentType, type ReactNode, useEffect, useLayoutEffect, useState } from 'react'
import type { DialogState } from './use-dialog.ts'

/*
 * Parts of a page that it does not show at first, such as dialogs. Their code loads when they are opened, or earlier
 * when the app preloads it.
 */

type Load<Props> = () => Promise<ComponentType<Props>>

interface OpenProps {
  readonly isOpen: boolean
}

interface DialogProps {
  // oxlint-disable-next-line typescript/no-explicit-any -- a dialog about anything
  readonly dialog: DialogState<any>
}

const loads: (() => Promise<unknown>)[] = []

/** Loads the code of all parts of the loaded pages, each after `wait`. */
export async function preloadParts(wait: () => Promise<void>): Promise<void> {
  for (const load of loads) {
    await wait()
    // Ignored: it is loaded again when the part is opened.
    await load().catch(() => undefined)
  }
}

/** A dialog with the state of `useDialog`. */
export function lazyDialog<Props extends DialogProps>(load: Load<Props>): ComponentType<Props> {
  const close = ({ dialog, ...props }: Props) =>
    ({ ...props, dialog: { ...dialog, isOpen: false } }) as unknown as Props
  return lazyPart(load, ({ dialog }) => dialog.isOpen, close)
}

/** A part that its page opens with `isOpen`. */
export function lazyOverlay<Props extends OpenProps>(load: Load<Props>): ComponentType<Props> {
  return lazyPart(
    load,
    ({ isOpen }) => isOpen,
    (props) => ({ ...props, isOpen: false }),
  )
}

/** A part that is open whenever its page renders it, such as the content of a tab. `waiting` is shown until it has loaded. */
export function lazyView<Props extends object>(
  load: Load<Props>,
  waiting: ReactNode = null,
): ComponentType<Props> {
  return lazyPart(
    load,
    () => true,
    (props) => props,
    waiting,
  )
}

function lazyPart<Props extends object>(
  load: Load<Props>,
  isOpenIn: (props: Props) => boolean,
  close: (props: Props) => Props,
  waiting: ReactNode = null,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined
  const loadOnce = async () => {
    loaded ??= await load()
    return loaded
  }
  loads.push(loadOnce)

  return function LazyPart(props) {
    const isOpen = isOpenIn(props)
    const [Part, setPart] = useState(() => (isOpen ? loaded : undefined))
    const [error, setError] = useState<Error>()
    const [isReady, setReady] = useState(false)
    // Before the next frame if the code is there: what is typed meanwhile would go to the page.
    useLayoutEffect(() => {
      if (isOpen && loaded !== undefined) setPart(() => loaded)
    }, [isOpen])
    useEffect(() => {
      if (!isOpen || Part !== undefined) return
      loadOnce().then(
        (one) => setPart(() => one),
        (cause: Error) => setError(cause),
      )
    }, [isOpen, Part])
    // Opened after it was rendered closed, it returns the focus to where it was.
    useLayoutEffect(() => setReady(Part !== undefined), [Part])

    if (error !== undefined) throw error
    return Part === undefined ? waiting : <Part {...(isReady ? props : close(props))} />
  }
}
