// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the environment variables of launchers.

#include "moert.h"
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <utility>

TEST(EnvironmentTest, ReadsLaunchers) {
  setenv("OMPI_COMM_WORLD_RANK", "3", 1);
  setenv("OMPI_COMM_WORLD_SIZE", "8", 1);
  setenv("MOERT_ADDRESS", "127.0.0.1:4000", 1);
  setenv("MOERT_TOKEN", "abc", 1);
  moert_config config;
  moert_config_default(&config);
  EXPECT_EQ(moert_config_from_environment(&config), MOERT_OK);
  EXPECT_EQ(config.rank, 3);
  EXPECT_EQ(config.world_size, 8);
  EXPECT_STREQ(config.address, "127.0.0.1:4000");
  EXPECT_STREQ(config.token, "abc");
  setenv("MOERT_RANK", "1", 1);
  setenv("MOERT_WORLD_SIZE", "2", 1);
  EXPECT_EQ(moert_config_from_environment(&config), MOERT_OK);
  EXPECT_EQ(config.rank, 1) << "the explicit variables come first";
  setenv("MOERT_RANK", "one", 1);
  EXPECT_EQ(moert_config_from_environment(&config), MOERT_INVALID_ARGUMENT);
  EXPECT_NE(std::strstr(moert_last_error(nullptr), "MOERT_RANK, got 'one'"),
            nullptr);
  for (const char *name :
       {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "MOERT_ADDRESS",
        "MOERT_TOKEN", "MOERT_RANK", "MOERT_WORLD_SIZE"})
    unsetenv(name);
}

TEST(EnvironmentTest, ReadsLocalRanks) {
  struct Case {
    const char *rank, *size, *local;
  };
  for (Case c : {Case{"MOERT_RANK", "MOERT_WORLD_SIZE", "MOERT_LOCAL_RANK"},
                 {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
                  "OMPI_COMM_WORLD_LOCAL_RANK"},
                 {"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"},
                 {"RANK", "WORLD_SIZE", "LOCAL_RANK"},
                 {"SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"}}) {
    moert_config config;
    moert_config_default(&config);
    EXPECT_EQ(config.local_rank, -1);
    setenv(c.rank, "11", 1);
    setenv(c.size, "16", 1);
    EXPECT_EQ(moert_config_from_environment(&config), MOERT_OK);
    EXPECT_EQ(config.local_rank, -1) << c.local << " is not set";
    setenv(c.local, "3", 1);
    EXPECT_EQ(moert_config_from_environment(&config), MOERT_OK);
    EXPECT_EQ(config.rank, 11);
    EXPECT_EQ(config.local_rank, 3) << c.local;
    setenv(c.local, "first", 1);
    EXPECT_EQ(moert_config_from_environment(&config), MOERT_INVALID_ARGUMENT);
    EXPECT_NE(std::strstr(moert_last_error(nullptr), "got 'first'"), nullptr);
    for (const char *name : {c.rank, c.size, c.local})
      unsetenv(name);
  }
  setenv("RANK", "9", 1);
  setenv("WORLD_SIZE", "16", 1);
  setenv("SLURM_PROCID", "1", 1);
  setenv("SLURM_NTASKS", "2", 1);
  setenv("SLURM_LOCALID", "0", 1);
  moert_config config;
  moert_config_default(&config);
  EXPECT_EQ(moert_config_from_environment(&config), MOERT_OK);
  EXPECT_EQ(config.local_rank, -1) << "srun's is the one of a torchrun";
  setenv("LOCAL_RANK", "3", 1);
  config.struct_size = 72;
  EXPECT_EQ(moert_config_from_environment(&config), MOERT_OK);
  EXPECT_EQ(config.local_rank, -1) << "a caller of interface 0.7 has none";
  unsetenv("LOCAL_RANK");
  for (const char *name :
       {"RANK", "WORLD_SIZE", "SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"})
    unsetenv(name);
}

TEST(EnvironmentTest, MeetsBesideTheLaunchersStore) {
  moert_config config;
  moert_config_default(&config);
  setenv("MASTER_ADDR", "node7", 1);
  for (auto [port, address] :
       {std::pair("29500", "node7:29501"), {"65535", "node7:65534"}}) {
    setenv("MASTER_PORT", port, 1);
    EXPECT_EQ(moert_config_from_environment(&config), MOERT_OK);
    EXPECT_STREQ(config.address, address);
  }
  for (const char *port : {"0", "65536", "port", ""}) {
    setenv("MASTER_PORT", port, 1);
    EXPECT_EQ(moert_config_from_environment(&config), MOERT_INVALID_ARGUMENT);
    EXPECT_NE(std::strstr(moert_last_error(nullptr), "MASTER_PORT, got"),
              nullptr)
        << moert_last_error(nullptr);
  }
  unsetenv("MASTER_ADDR");
  unsetenv("MASTER_PORT");
}
