import { deleteOldRequests, deleteRequest, insertRequest, listRequests } from './registration-queries.ts'

export const storeRegistrationRequest = insertRequest
export const oldestRegistrationRequests = listRequests
export const takeRegistrationRequest = deleteRequest
export const forgetRegistrationRequests = deleteOldRequests
