import type { DialogState } from '@assay/ui/use-dialog.ts'
import type { ReactNode } from 'react'
import { FormDialog } from './FormDialog.tsx'

/** What a dialog edits; `new` to create another one. */
export type EditTarget<Item> = Item | 'new'

interface Props<Item> {
  readonly dialog: DialogState<EditTarget<Item>>
  readonly titles: { readonly create: string; readonly edit: string }
  readonly size?: 'lg' | 'xl'
  /** The form; of null for a new one. */
  readonly children: (item: Item | null, close: () => void) => ReactNode
}

/** A dialog that creates an item or edits one. A click outside does not close it: what was entered would be lost. */
export function EditDialog<Item extends object>({ titles, children, ...rest }: Props<Item>) {
  return (
    <FormDialog
      {...rest}
      title={(target) => (target === 'new' ? titles.create : titles.edit)}
      closeOnClickOutside={false}
    >
      {(target, close) => children(target === 'new' ? null : target, close)}
    </FormDialog>
  )
}
