// RUN: moe-opt %s -split-input-file -verify-diagnostics

func.func @f(%ids: tensor<6x2x2xi32>, %limits: tensor<4xi32>) {
  // expected-error@+1 {{expected ids to have rank 2, got 'tensor<6x2x2xi32>'}}
  %0 = moe.limit_choices choice %ids experts 4 limits %limits : tensor<6x2x2xi32>, tensor<4xi32>
  return
}

// -----

func.func @f(%ids: tensor<6x2xi32>, %limits: tensor<4x1xi32>) {
  // expected-error@+1 {{expected limits to have rank 1, got 'tensor<4x1xi32>'}}
  %0 = moe.limit_choices choice %ids experts 4 limits %limits : tensor<6x2xi32>, tensor<4x1xi32>
  return
}

// -----

func.func @f(%ids: tensor<6x2xi32>, %limits: tensor<?xi32>) {
  // expected-error@+1 {{expected a static number of limits, at least one, got 'tensor<?xi32>'}}
  %0 = moe.limit_choices choice %ids experts 4 limits %limits : tensor<6x2xi32>, tensor<?xi32>
  return
}

// -----

func.func @f(%ids: tensor<6x2xi32>, %limits: tensor<0xi32>) {
  // expected-error@+1 {{expected a static number of limits, at least one, got 'tensor<0xi32>'}}
  %0 = moe.limit_choices choice %ids experts 4 limits %limits : tensor<6x2xi32>, tensor<0xi32>
  return
}

// -----

func.func @f(%ids: tensor<6x2xi32>, %limits: tensor<3xi32>) {
  // expected-error@+1 {{expected a number of experts that divides by the 3 limits, got 4}}
  %0 = moe.limit_choices choice %ids experts 4 limits %limits : tensor<6x2xi32>, tensor<3xi32>
  return
}

// -----

func.func @f(%ids: tensor<6x2xi32>, %limits: tensor<1xi32>) {
  // expected-error@+1 {{expected a number of experts that divides by the 1 limits, got -1}}
  %0 = moe.limit_choices choice %ids experts -1 limits %limits : tensor<6x2xi32>, tensor<1xi32>
  return
}

// -----

func.func @f(%ids: tensor<6x2xi8>, %limits: tensor<2xi32>) {
  // expected-error@+1 {{'moe.limit_choices' op expected ids}}
  %0 = moe.limit_choices token %ids experts 256 limits %limits : tensor<6x2xi8>, tensor<2xi32>
  return
}
