import { Outlet } from '@tanstack/react-router'
import { AccessDenied } from '../../page/AccessDenied.tsx'
import { TabFrame } from '../../page/TabFrame.tsx'
import { useSuperAdmin } from '../../shell/use-super-admin.ts'

/** Wraps the platform pages, which are for super admins. */
export function PlatformFrame() {
  const isSuperAdmin = useSuperAdmin()
  if (!isSuperAdmin) return <AccessDenied>Only super admins can open it.</AccessDenied>
  return (
    <TabFrame label="Platform" section="/platform">
      <Outlet />
    </TabFrame>
  )
}
