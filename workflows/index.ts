export { bulkProvisioning } from './bulkProvisioning';
export { licenseExpirySweep } from './licenseExpirySweep';
export { webhookDelivery } from './webhookDelivery';
