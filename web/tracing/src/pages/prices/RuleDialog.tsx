import type { PriceRule } from '@assay/contract/prices.ts'
import { Modal } from '@mantine/core'
import type { Asked } from '../../page/use-asked.ts'
import type { CurrentProject } from '../../shell/use-project.ts'
import { RuleForm } from './RuleForm.tsx'
import { draftOf, type RuleDraft } from './rule-draft.ts'

interface Props {
  readonly current: CurrentProject
  /** A rule to change, or what is known of a new one. */
  readonly asked: Asked<PriceRule> | Asked<RuleDraft>
}

/** Asks what a model costs, or what a name stands for. */
export function RuleDialog({ current, asked: { subject, isOpen, close } }: Props) {
  return (
    <Modal opened={isOpen} onClose={close} size="lg" title={subject && titleOf(subject)}>
      {subject !== undefined && (
        <RuleForm
          current={current}
          changed={isRule(subject) ? subject : undefined}
          first={isRule(subject) ? draftOf(subject) : subject}
          onDone={close}
        />
      )}
    </Modal>
  )
}

function isRule(subject: PriceRule | RuleDraft): subject is PriceRule {
  return 'id' in subject
}

function titleOf(subject: PriceRule | RuleDraft): string {
  const what = subject.kind === 'alias' ? 'alias' : 'price'
  return isRule(subject) ? `Change this ${what}` : `New ${what}`
}
