import type { PriceRule } from '@assay/contract/prices.ts'
import { useRemoveRule } from '../../api/prices.ts'
import { ConfirmDialog } from '../../page/ConfirmDialog.tsx'
import type { Asked } from '../../page/use-asked.ts'
import type { CurrentProject } from '../../shell/use-project.ts'
import { termsInWords } from './price-words.ts'

interface Props {
  readonly current: CurrentProject
  readonly asked: Asked<PriceRule>
}

/** Asks before a price or an alias goes. */
export function RemoveRuleDialog({ current, asked: { subject, isOpen, close } }: Props) {
  const removing = useRemoveRule(current.project.id, current.organization.id)
  function leave(): void {
    removing.reset()
    close()
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={subject?.kind === 'alias' ? 'Remove this alias?' : 'Remove this price?'}
      doWord="Remove"
      error={removing.error?.message}
      isPending={removing.isPending}
      onConfirm={() => subject !== undefined && removing.mutate(subject, { onSuccess: leave })}
      onClose={leave}
    >
      {subject !== undefined && (
        <>
          <p>
            <strong>{subject.model}</strong>: {termsInWords(subject)}
            {subject.scope === 'organization' &&
              `. It holds in every project of ${current.organization.name}`}
            .
          </p>
          <p>Calls from now on get the next price that fits. What is stored keeps its cost.</p>
        </>
      )}
    </ConfirmDialog>
  )
}
