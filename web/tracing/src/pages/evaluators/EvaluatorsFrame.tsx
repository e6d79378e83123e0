import { Outlet } from '@tanstack/react-router'
import { TabFrame } from '../../page/TabFrame.tsx'
import { useProject } from '../../shell/use-project.ts'

/** Wraps the pages of evaluators, collections, runs and rules. */
export function EvaluatorsFrame() {
  const { project } = useProject()
  return (
    <TabFrame
      label="Evaluators"
      section="/p/$projectId/evaluators"
      params={{ projectId: project.id }}
    >
      <Outlet />
    </TabFrame>
  )
}
