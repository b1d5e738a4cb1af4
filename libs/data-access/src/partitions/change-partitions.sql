/* @name createPartition */
SELECT create_partition_v1(:table!, :week!) AS done;

/* @name attachPartition */
SELECT attach_partition_v1(:table!, :week!) AS done;

/* @name detachPartition */
SELECT detach_partition_v1(:table!, :week!) AS done;

/* @name dropPartition */
SELECT drop_partition_v1(:table!, :week!) AS done;

/* @name beginCompaction */
SELECT begin_compaction_v1(:week!) AS begun;

/* @name finishCompaction */
SELECT finish_compaction_v1(:week!) AS done;
