import { Outlet } from '@tanstack/react-router'
import { TabFrame } from '../../page/TabFrame.tsx'
import { useProject } from '../../shell/use-project.ts'

/** Wraps the pages of scores and of the agreement between evaluators and people. */
export function ScoresFrame() {
  const { project } = useProject()
  return (
    <TabFrame label="Scores" section="/p/$projectId/scores" params={{ projectId: project.id }}>
      <Outlet />
    </TabFrame>
  )
}
