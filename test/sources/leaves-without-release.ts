// A process that acquires a lease in etcd, and has nothing else to do: node leaves-without-release.ts <port>.
import { LeaseManager } from '../../src/lease/lease-manager.ts';
import { etcdTokenSource } from '../../src/lease/sources/etcd.ts';

const source = etcdTokenSource({ endpoints: `http://127.0.0.1:${process.argv[2]}` });
const leases = new LeaseManager({ source, ttlMs: 60_000, heartbeat: true });
const result = await leases.acquire('r');
// By now the lease is watched.
await new Promise((resolve) => setTimeout(resolve, 300));
console.log(result.ok);
