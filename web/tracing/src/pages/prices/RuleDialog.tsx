import type { PriceRule } from '@assay/contract/prices.ts'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { Modal } from '@mantine/core'
import type { CurrentProject } from '../../shell/use-project.ts'
import { RuleForm } from './RuleForm.tsx'
import { draftOf, type RuleDraft } from './rule-draft.ts'

interface Props {
  readonly current: CurrentProject
  /** A rule to change, or what is known of a new one. */
  readonly dialog: DialogState<PriceRule> | DialogState<RuleDraft>
}

/** Asks what a model costs, or what a name stands for. */
export function RuleDialog({ current, dialog: { target, isOpen, close } }: Props) {
  return (
    <Modal opened={isOpen} onClose={close} size="lg" title={target && titleOf(target)}>
      {target !== undefined && (
        <RuleForm
          current={current}
          changed={isRule(target) ? target : undefined}
          first={isRule(target) ? draftOf(target) : target}
          onDone={close}
        />
      )}
    </Modal>
  )
}

function isRule(target: PriceRule | RuleDraft): target is PriceRule {
  return 'id' in target
}

function titleOf(target: PriceRule | RuleDraft): string {
  const what = target.kind === 'alias' ? 'alias' : 'price'
  return isRule(target) ? `Change this ${what}` : `New ${what}`
}
