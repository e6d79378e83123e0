import type { PriceRule } from '@assay/contract/prices.ts'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { useRemoveRule } from '../../api/prices.ts'
import { ConfirmDialog } from '../../page/ConfirmDialog.tsx'
import type { CurrentProject } from '../../shell/use-project.ts'
import { formatTerms } from './price-format.ts'

interface Props {
  readonly current: CurrentProject
  readonly dialog: DialogState<PriceRule>
}

/** Asks before a price or an alias goes. */
export function RemoveRuleDialog({ current, dialog: { target, isOpen, close } }: Props) {
  const removing = useRemoveRule(current.project.id, current.organization.id)
  function leave(): void {
    removing.reset()
    close()
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={target?.kind === 'alias' ? 'Remove this alias?' : 'Remove this price?'}
      confirmLabel="Remove"
      error={removing.error?.message}
      isPending={removing.isPending}
      onConfirm={() => target !== undefined && removing.mutate(target, { onSuccess: leave })}
      onClose={leave}
    >
      {target !== undefined && (
        <>
          <p>
            <strong>{target.model}</strong>: {formatTerms(target)}
            {target.scope === 'organization' &&
              `. It holds in every project of ${current.organization.name}`}
            .
          </p>
          <p>Calls from now on get the next price that fits. What is stored keeps its cost.</p>
        </>
      )}
    </ConfirmDialog>
  )
}
