import { Outlet } from '@tanstack/react-router'
import { TabFrame } from '../../page/TabFrame.tsx'
import { useProject } from '../../shell/use-project.ts'

/** Wraps the pages about the cost of model calls. */
export function PricesFrame() {
  const { project } = useProject()
  return (
    <TabFrame label="Prices" section="/p/$projectId/prices" params={{ projectId: project.id }}>
      <Outlet />
    </TabFrame>
  )
}
