import { type Blueprint, toAgentConfig } from '@assay/contract/blueprint.ts'
import { IconArrowRight } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { ReplaceDraftButton } from '../../parts/ReplaceDraftButton.tsx'
import { useProject } from '../../shell/use-project.ts'

interface Props {
  readonly blueprint: Blueprint
}

/** Makes the agent of the blueprint the agent of the cost calculator. */
export function SendToCalculator({ blueprint }: Props) {
  const { project } = useProject()
  const navigate = useNavigate()
  return (
    <ReplaceDraftButton
      variant="filled"
      rightSection={<IconArrowRight size={14} />}
      next={{ agent: toAgentConfig(blueprint) }}
      question="Replace the agent of the cost calculator?"
      confirmLabel="Replace agent"
      onDone={() =>
        void navigate({
          to: '/p/$projectId/cost-calculator/agent',
          params: { projectId: project.id },
        })
      }
    >
      Send to the cost calculator
    </ReplaceDraftButton>
  )
}
