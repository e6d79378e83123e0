import { exportAuditLog, listAuditLog } from './audit-log.ts'
import type { AnyEndpoint } from './endpoint.ts'
import { createHandOff, redeemHandOff, startHandOff } from './hand-off.ts'
import { ingestTrace } from './ingest.ts'
import {
  acceptInvite,
  changeRole,
  inviteMember,
  listInvites,
  listMembers,
  readInvite,
  removeMember,
  revokeInvite,
} from './members.ts'
import {
  createOrganization,
  createProject,
  listOrganizations,
  listProjects,
  removeProject,
  updateOrganization,
  updateProject,
} from './organizations.ts'
import { exportTraces } from './otlp.ts'
import {
  addPlatformAccess,
  grantSuperAdmin,
  listAccounts,
  listPlatformAccess,
  listPlatformAuditLog,
  listSuperAdmins,
  removePlatformAccess,
  revokeSuperAdmin,
  updateAccount,
} from './platform.ts'
import {
  changePassword,
  listSessions,
  revokeOtherSessions,
  revokeSession,
  updateProfile,
} from './profile.ts'
import {
  confirmPasswordReset,
  readSession,
  readSetup,
  requestPasswordReset,
  setUp,
  signIn,
  signOut,
  signUp,
} from './sign-in.ts'
import { listTraces, readSpan, readTrace, watchTraces } from './traces.ts'
import { createTracingKey, listTracingKeys, revokeTracingKey } from './tracing-keys.ts'

/** Every endpoint there is. A route that is not listed here does not exist. */
export const allEndpoints: readonly AnyEndpoint[] = [
  ingestTrace,
  exportTraces,
  readSetup,
  setUp,
  signUp,
  signIn,
  signOut,
  readSession,
  requestPasswordReset,
  confirmPasswordReset,
  startHandOff,
  createHandOff,
  redeemHandOff,
  updateProfile,
  changePassword,
  listSessions,
  revokeSession,
  revokeOtherSessions,
  listOrganizations,
  createOrganization,
  updateOrganization,
  listProjects,
  createProject,
  updateProject,
  removeProject,
  listMembers,
  changeRole,
  removeMember,
  inviteMember,
  listInvites,
  revokeInvite,
  readInvite,
  acceptInvite,
  listAuditLog,
  exportAuditLog,
  listPlatformAccess,
  addPlatformAccess,
  removePlatformAccess,
  listAccounts,
  updateAccount,
  listSuperAdmins,
  grantSuperAdmin,
  revokeSuperAdmin,
  listPlatformAuditLog,
  listTracingKeys,
  createTracingKey,
  revokeTracingKey,
  listTraces,
  watchTraces,
  readTrace,
  readSpan,
]
