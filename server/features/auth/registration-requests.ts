import {
  deleteOldRequests,
  deleteRequest,
  insertRequest,
  isEmailTaken,
  listRequests,
  lockRequests,
} from './registration-queries.ts'

export const lockRegistrationRequests = lockRequests
export const isEmailOfMember = isEmailTaken
export const storeRegistrationRequest = insertRequest
export const oldestRegistrationRequests = listRequests
export const takeRegistrationRequest = deleteRequest
export const forgetRegistrationRequests = deleteOldRequests
